/**
 * Puts everything in the body but one element out of reach: of the pointer, of
 * the keyboard and of a screen reader; what appears later too. The answer brings
 * it back as it was, with the focus on what had it.
 */
export function makeInert(but: Element, focused: Element | null): () => void {
  const { body } = but.ownerDocument;
  const quieted = new Set<HTMLElement>();
  const quiet = () => {
    for (const element of body.children) {
      if (element === but || !(element instanceof HTMLElement) || element.inert) continue;
      element.inert = true;
      quieted.add(element);
    }
  };
  quiet();
  const late = new MutationObserver(quiet);
  late.observe(body, { childList: true });
  return () => {
    late.disconnect();
    for (const element of quieted) element.inert = false;
    if (focused instanceof HTMLElement && focused.isConnected) focused.focus({ preventScroll: true });
  };
}
