// The only listener of the keyboard. Neither Mantine's useHotkeys nor @tanstack/react-hotkeys 0.11 has layers: each lets
// every registration act whose element a key passes.

/** A key that is bound. */
export interface Binding {
  /** The label in the list of keys. Without one the key is not listed. */
  does?: string;
  /** Without it an element acts while it has the focus, and the key is only listed. */
  act?: (event: KeyboardEvent) => void;
  /** Whether it acts below a dialog too. */
  always?: boolean;
}

/** The kinds of layers, from the lowest. A page lets other keys through; an open dialog, card or lock does not. */
const kinds = ['window', 'page', 'dialog', 'card', 'lock'] as const;

export type LayerKind = (typeof kinds)[number];

/** The keys of one part of the window. */
export class Layer {
  readonly bindings = new Map<string, () => Binding>();
  /** Leaves the layer. */
  onEscape: (() => void) | undefined;
  /** The element outside of which the layer takes no keys; a layer without one takes the keys of the window. */
  within: Element | null = null;

  constructor(
    readonly kind: LayerKind,
    readonly around?: Layer,
  ) {}

  /** Reports whether nothing below the layer takes keys. */
  get isModal(): boolean {
    return !this.within && kinds.indexOf(this.kind) > kinds.indexOf('page');
  }

  /** The place in the stack: a part of a card lies as high as the card. */
  get rank(): number {
    return this.within ? (this.around?.rank ?? 0) : kinds.indexOf(this.kind);
  }

  /** Binds a key until the returned function is called. Another user of the same key in the layer is a mistake. */
  bind(key: string, binding: () => Binding): () => void {
    if (this.bindings.has(key) && !import.meta.env.PROD)
      throw new Error(`${key} is bound twice on the layer ${this.kind}`);
    this.bindings.set(key, binding);
    return () => {
      if (this.bindings.get(key) === binding) this.bindings.delete(key);
    };
  }

  isInside(other: Layer): boolean {
    return this.around === other || (this.around?.isInside(other) ?? false);
  }
}

/** The lowest layer: keys that work on every page. */
export const base = new Layer('window');

/** The open layers, the top one last. */
const stack: Layer[] = [base];

/** Opens a layer until the returned function is called: above its equals, and below what is inside it. */
export function openLayer(layer: Layer): () => void {
  const inner = stack.findIndex((other) => other.isInside(layer));
  if (inner < 0) stack.push(layer);
  else stack.splice(inner, 0, layer);
  stack.sort((one, other) => one.rank - other.rank);
  return () => {
    stack.splice(stack.indexOf(layer), 1);
  };
}

/** Reports whether a dialog lies over the page, which then takes no keys. */
export const dialogIsOpen = (): boolean => stack.some(({ isModal }) => isModal);

/** Returns what each key of the page and of the window does now. */
export function listedKeys(): ReadonlyMap<string, string> {
  const listed = new Map<string, string>();
  for (const layer of stack.toReversed()) {
    if (layer.isModal || layer.within) continue;
    for (const [key, binding] of layer.bindings) {
      const { does } = binding();
      if (does && !listed.has(key)) listed.set(key, does);
    }
  }
  return listed;
}

const untyped = ['button', 'checkbox', 'color', 'file', 'image', 'radio', 'range', 'reset', 'submit'];

/** Reports whether keys write in an element: a box or a choice takes no letters. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !untyped.includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** The name that a press is bound by, such as "Ctrl+K", "Shift+F4", "Alt+1" or "?". */
export function keyOf({ ctrlKey, metaKey, altKey, shiftKey, key, code }: KeyboardEvent): string {
  const digit = altKey ? /^Digit(\d)$/.exec(code)?.[1] : undefined; // with Alt, a key may give another sign
  const name = digit ?? (key.length === 1 ? key.toUpperCase() : key);
  const isSign = name.length === 1 && !/\p{L}/u.test(name); // some keyboards have it with Shift only
  return [(ctrlKey || metaKey) && 'Ctrl', altKey && 'Alt', shiftKey && !isSign && 'Shift', name]
    .filter(Boolean)
    .join('+');
}

/** Reports whether a key acts while something is typed. */
const actsInFields = (key: string) => /^(Ctrl|Alt)\+|^(Shift\+)?F\d+$/.test(key);

/** Reports whether a list or menu is open at an element, which closes by Escape. */
const hasOpenList = (target: EventTarget | null) =>
  target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true';

/** The layers that a key reaches, the top one first, down to the first that lets nothing through. */
function reached(target: EventTarget | null): { open: Layer[]; below: Layer[] } {
  const here = stack
    .toReversed()
    .filter(({ within }) => !within || (target instanceof Node && within.contains(target)));
  const end = here.findIndex(({ isModal }) => isModal);
  return end < 0 ? { open: here, below: [] } : { open: here.slice(0, end + 1), below: here.slice(end + 1) };
}

/** Takes Escape for the top layer that can be left. */
function leave(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || hasOpenList(event.target)) return;
  const top = reached(event.target).open.find(({ onEscape, isModal }) => onEscape || isModal);
  if (!top?.onEscape) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  top.onEscape();
}

const MOVES = /^(Arrow|Page|Home$|End$|Tab$|Shift$|Control$|Alt$|Meta$)/;
const ACTS = /^(Enter|Escape|F\d+)$/;

/** Reports whether the repeat of a held key would act again. Repeats may type in a field, and move anywhere. */
function actsAgain({ repeat, key, target }: KeyboardEvent): boolean {
  if (!repeat || MOVES.test(key)) return false;
  const writes = target instanceof HTMLTextAreaElement && key === 'Enter';
  return !writes && (ACTS.test(key) || !isTyping(target));
}

/** A watcher sees each key before any element; one that returns true keeps it. */
type Watcher = (event: KeyboardEvent) => unknown;
const watchers = new Set<Watcher>();

/** Shows each key to a watcher until the returned function is called. */
export function watchKeys(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

const unbound = new Set<(key: string) => void>();

/** Tells of the keys that no layer binds until the returned function is called. */
export function hearUnbound(heard: (key: string) => void): () => void {
  unbound.add(heard);
  return () => unbound.delete(heard);
}

/** Sees a key before every element: at a locked window it stays with the field, and a held key acts once. */
function first(event: Event): void {
  if (!(event instanceof KeyboardEvent)) return; // a browser that fills in a field sends others
  showKeys(event.key === 'Control' || event.ctrlKey);
  if (stack.at(-1)?.kind === 'lock') {
    event.stopImmediatePropagation();
    return;
  }
  if (actsAgain(event) || [...watchers].some((watcher) => watcher(event) === true)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  leave(event);
}

/** Sees a key that no element has taken. */
function last(event: Event): void {
  if (!(event instanceof KeyboardEvent)) return;
  const key = keyOf(event);
  if (event.defaultPrevented || event.repeat || event.isComposing) return;
  if ((isTyping(event.target) && !actsInFields(key)) || (key === 'Escape' && hasOpenList(event.target))) return;
  const { open, below } = reached(event.target);
  const bindingIn = (layers: readonly Layer[]) =>
    layers.find(({ bindings }) => bindings.has(key))?.bindings.get(key)?.();
  const binding = bindingIn(open);
  const covered = binding ? undefined : bindingIn(below);
  if (!binding && !covered && open.at(-1) === base) for (const heard of unbound) heard(key);
  if (!binding?.act && !covered?.act) return;
  event.preventDefault(); // below a dialog too: the browser would act
  if (binding) binding.act?.(event);
  else if (covered?.always) covered.act?.(event);
}

/** Shows the keys at the buttons while Ctrl is held. */
const showKeys = (shown: boolean) => document.documentElement.toggleAttribute('data-keys', shown);

if (typeof window !== 'undefined') {
  window.addEventListener('keydown', first, { capture: true });
  window.addEventListener('keydown', last);
  window.addEventListener('keyup', ({ key }) => key === 'Control' && showKeys(false), { capture: true });
  window.addEventListener('blur', () => showKeys(false));
}
