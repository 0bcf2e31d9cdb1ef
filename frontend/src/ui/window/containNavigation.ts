/**
 * Keeps the window on its own page: a link, a form or window.open never leads
 * out of the application. (Wails has no navigation policy of its own.)
 */
export function containNavigation(target: Window): void {
  const stay = (event: Event) => {
    const link = (event.target as Element | null)?.closest?.('a[href]');
    if (link && !link.getAttribute('href')?.startsWith('#')) event.preventDefault();
  };
  target.document.addEventListener('click', stay, true);
  target.document.addEventListener('auxclick', stay, true);
  target.document.addEventListener('submit', (event) => event.preventDefault(), true);
  target.document.addEventListener('dragover', (event) => event.preventDefault());
  target.document.addEventListener('drop', (event) => event.preventDefault());
  target.open = () => null;
}
