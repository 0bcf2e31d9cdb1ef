/** What takes the focus by Tab. */
export const FOCUSABLE = 'a[href], button, input:not([type=hidden]), select, textarea, [tabindex]:not([tabindex="-1"])';

/** The page and a dialog. What is beside them, such as a dialog that closes, gives the focus back itself. */
const WHOLE = '#root, [role="dialog"]';

const focusables = (within: Element) => [
  ...(within.matches(FOCUSABLE) ? [within as HTMLElement] : []),
  ...within.querySelectorAll<HTMLElement>(FOCUSABLE),
];

/** A link that skips to the page leaves the focus to the page. */
const landing = (next: HTMLElement): HTMLElement => {
  const href = next.getAttribute('href');
  return (href?.startsWith('#') && next.ownerDocument.querySelector<HTMLElement>(href)) || next;
};

/** The elements that a removed one leaves its focus to: the next one, the one before, else what is around it. */
function heirs({ target, nextSibling, previousSibling }: MutationRecord): Element[] {
  const found: Element[] = [];
  for (let next = nextSibling; next; next = next.nextSibling) if (next instanceof Element) found.push(next);
  for (let next = previousSibling; next; next = next.previousSibling) if (next instanceof Element) found.push(next);
  for (
    let around: Node | null = target;
    around instanceof Element && !around.matches(WHOLE);
    around = around.parentElement
  )
    found.push(around);
  return found;
}

/**
 * Keeps the focus in its place when what has it goes, such as a line of a list: the same button of the next line has it
 * then, else what is nearest. The browser would leave it to the body, and the next Tab would begin at the top.
 */
export function keepFocus({ document }: Window): void {
  let had: Element | undefined;
  document.addEventListener('focusin', ({ target }) => {
    had = target instanceof Element ? target : undefined;
  });
  // A press elsewhere leaves it. The events of losing the focus come for what is removed or disabled too.
  document.addEventListener('pointerdown', ({ target }) => {
    if (!had?.contains(target as Node)) had = undefined;
  });
  new MutationObserver((records) => {
    const { activeElement } = document;
    if (!had || had.isConnected || (activeElement && activeElement !== document.body)) return;
    const gone = had;
    had = undefined;
    for (const record of records) {
      const part = [...record.removedNodes].find((node): node is Element => node.contains(gone));
      if (!part || !(record.target instanceof Element && record.target.isConnected && record.target.closest(WHOLE)))
        continue;
      const at = focusables(part).indexOf(gone as HTMLElement);
      for (const heir of heirs(record)) {
        const offered = focusables(heir);
        const alike = heir.tagName === part.tagName ? offered[at] : undefined;
        for (const next of alike ? [alike, ...offered] : offered) {
          const to = landing(next);
          to.focus(); // one that is disabled or hidden does not take it
          if (document.activeElement === to) return;
        }
      }
    }
  }).observe(document, { childList: true, subtree: true });
}
