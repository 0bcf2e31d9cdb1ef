// What is awaited in the page comes when it comes: like the limit of a test, this one only cuts off what hangs.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 30_000 });
}

export {};

// jsdom has no layout: it asks no media and scrolls nothing.
if (typeof window !== 'undefined') {
  window.matchMedia = () =>
    ({ matches: false, addEventListener() {}, removeEventListener() {} }) as unknown as MediaQueryList;
  Element.prototype.scrollIntoView = () => undefined;
}
