// The colours and the text size somebody chose, before anything is painted: Mantine keeps them under this
// name, and its own way to do this is a script in the page, which the policy forbids.
(() => {
  const kept = localStorage.getItem('mantine-color-scheme-value');
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = kept === 'light' || kept === 'dark' ? kept : system;
  document.documentElement.style.fontSize = `${Number(localStorage.getItem('deskhand-text-size')) || 100}%`;
})();
