// What is awaited in the page comes when it comes: like the limit of a test, this one only cuts off what hangs.
if (typeof document !== 'undefined') {
  const { configure } = await import('@testing-library/dom');
  configure({ asyncUtilTimeout: 30_000 });
}

export {};
