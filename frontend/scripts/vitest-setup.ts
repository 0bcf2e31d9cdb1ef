// What is awaited in the page comes when it comes: like the limit of a test, this one only cuts off what hangs.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 30_000 });
}

export {};

// Files that share a process share its window: each begins without the drafts of another.
if (typeof sessionStorage !== 'undefined') sessionStorage.clear();

// jsdom has no layout: it asks no media, scrolls nothing, loads no fonts and has no sizes.
if (typeof window !== 'undefined') {
  window.matchMedia = () =>
    ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
  Element.prototype.scrollIntoView = () => undefined;
  Object.assign(document, { fonts: new EventTarget() });
  window.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
}
