import { appendFileSync, closeSync, fstatSync, openSync, readSync } from 'node:fs';
import type { Page } from '@playwright/test';

/** What rules of axe depend on. */
export type Aspect = 'structure' | 'colours' | 'layout';

/** What the rules of axe read of a page. */
export interface Parts {
  /**
   * The prints of the elements in document order, with and without the classes of the elements around. Elements of one
   * print are the same to every rule on structure, and with classes to every rule on colours.
   */
  structure: string[];
  colours: string[];
  /** The number of the first element after an element and all inside of it. */
  ends: number[];
  /** The numbers of the elements that have a text of their own: rules on colours read no others. */
  texts: number[];
  /** The numbers of what can be pressed, by its size and by what covers it, and of what scrolls. */
  layout: [print: string, at: number][];
  /** The name of the scheme. */
  scheme: string;
}

/** The part of a page that has not been checked. */
export interface Unchecked {
  /** The aspects that it is new in. */
  aspects: Aspect[];
  /** The numbers of the elements that are left out, each with all inside of it. They are `parts` of the window. */
  leftOut: number[];
  /** The prints of all else. */
  prints: string[];
}

/** The prints that a check has seen. The workers of a run share them by a file; without it nothing is left out. */
const seen = new Set<string>();
const shared = process.env.DESKHAND_LOOKED;
let read = 0;

function readShared(): void {
  if (!shared) return;
  const file = openSync(shared, 'a+');
  try {
    const size = fstatSync(file).size;
    const text = Buffer.alloc(size - read);
    readSync(file, text, 0, text.length, read);
    const whole = text.lastIndexOf(10) + 1; // another worker may be writing the last line
    for (const print of text.toString('utf8', 0, whole).split('\n')) seen.add(print);
    read += whole;
  } finally {
    closeSync(file);
  }
}

/** Keeps prints as seen. */
export function keep(prints: readonly string[]): void {
  if (!shared || prints.length === 0) return;
  for (const print of prints) seen.add(print);
  appendFileSync(shared, `${prints.join('\n')}\n`);
}

/** Finds the part of the page that has not been checked; undefined when there is none. */
export function uncheckedOf(
  { ends, texts, layout, ...parts }: Parts,
  aspects: readonly Aspect[],
): Unchecked | undefined {
  const isNew = new Set<number>();
  const found: Unchecked = { aspects: [], leftOut: [], prints: [] };
  const haveText = new Set(texts);
  const note = (at: number, aspect: Aspect, print: string) => {
    found.prints.push(print);
    if (aspect === 'colours' && !haveText.has(at)) return;
    isNew.add(at);
    if (!found.aspects.includes(aspect)) found.aspects.push(aspect);
  };
  for (const aspect of aspects) {
    if (aspect === 'layout') {
      for (const [print, at] of layout) if (!seen.has(`layout ${print}`)) note(at, aspect, `layout ${print}`);
      continue;
    }
    const check = aspect === 'colours' ? parts.scheme : aspect;
    for (let at = 0; at < ends.length; ) {
      const print = `${check} ${parts[aspect][at]}`;
      const isSeen = seen.has(print);
      if (!isSeen) note(at, aspect, print);
      at = isSeen ? (ends[at] ?? ends.length) : at + 1;
    }
  }
  const before = [0]; // how many of them come before an element
  for (let at = 0; at < ends.length; at += 1) before.push((before[at] ?? 0) + Number(isNew.has(at)));
  for (let at = 0; at < ends.length; ) {
    const end = ends[at] ?? ends.length;
    const holdsNew = before[end] !== before[at];
    if (!holdsNew) found.leftOut.push(at);
    at = holdsNew ? at + 1 : end;
  }
  return found.prints.length > 0 ? found : undefined;
}

/** Reads the parts of the page. */
export async function partsOf(page: Page): Promise<Parts> {
  readShared();
  const { structure, colours, ...rest } = await page.evaluate(readParts);
  return { structure: structure.split(' '), colours: colours.split(' '), ...rest };
}

/** Runs in the page. */
function readParts() {
  const parts: Element[] = [];
  const structure: string[] = [];
  const colours: string[] = [];
  const ends: number[] = [];
  const withText: number[] = [];
  const root = document.documentElement;
  const hovered = new Set(document.querySelectorAll(':hover'));
  const references =
    /^(for|list|form|aria-(labelledby|describedby|controls|owns|activedescendant|details|errormessage|flowto))$/;
  const texts = /^(aria-(label|description|valuetext|placeholder|roledescription)|title|alt|placeholder|value)$/;
  const aroundIt = ['role', 'aria-hidden', 'aria-disabled', 'disabled', 'inert', 'dir', 'aria-modal', 'aria-live'];
  const roles = ['banner', 'complementary', 'contentinfo', 'form', 'main', 'navigation', 'region', 'search'];
  const landmarks = ['main, nav, header, footer, aside, form, section', ...roles.map((one) => `[role=${one}]`)].join();
  const nameOf = (element: Element) =>
    element.getAttribute('aria-label') ??
    document.getElementById(element.getAttribute('aria-labelledby') ?? '')?.textContent?.replace(/\d+/g, '#');
  const allLandmarks = [...document.querySelectorAll(landmarks)]
    .map((one) => [one.tagName, one.getAttribute('role'), nameOf(one), one.checkVisibility()].join())
    .join();
  let level = ''; // of the heading before

  // 53 bits, by cyrb53 (public domain).
  const hash = (text: string) => {
    let [a, b] = [0xdeadbeef, 0x41c6ce57];
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      a = Math.imul(a ^ code, 2654435761);
      b = Math.imul(b ^ code, 1597334677);
    }
    a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
    b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909);
    return (4294967296 * (2097151 & b) + (a >>> 0)).toString(36);
  };
  // Rules tell no text, a single character and a longer text apart.
  const length = (text: string | null | undefined) => Math.min(text?.trim().length ?? 0, 2);
  const named = (id: string) => {
    const target = document.getElementById(id);
    return target ? `found${length(target.textContent)}` : 'missing';
  };
  const style = (declaration: string) =>
    /colou?r|background|-bg|opacity|#|rgb/.test(declaration) ? declaration : declaration.replace(/\d+/g, '#');
  const attribute = ({ name, value }: Attr): string => {
    if (name === 'href' && value.startsWith('#')) return `${name} ${named(value.slice(1))}`;
    if (/^(id|href|src|srcset|d|points|transform)$/.test(name)) return name;
    if (references.test(name)) return `${name} ${value.split(/\s+/).filter(Boolean).map(named)}`;
    if (texts.test(name)) return `${name} ${length(value)}`;
    if (name === 'style') return value.split(';').map(style).join(';');
    return `${name}=${value.replace(/\d+/g, '#')}`;
  };
  const ownOf = (element: Element, at: number): string => {
    const isShown = element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const text = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue : '')).join('');
    const field = element as HTMLInputElement;
    if (isShown && (text.trim() || 'value' in element || element.tagName === 'A')) withText.push(at);
    // Those of the document are its scheme and the size of its text.
    const attributes = element === root ? [root.lang] : [...element.attributes].map(attribute).sort();
    const own: unknown[] = [element.tagName, ...attributes, length(text), isShown, hovered.has(element)];
    own.push(element === document.activeElement);
    if ('labels' in element) own.push([...(field.labels ?? [])].map((label) => length(label.textContent)));
    if ('value' in element) own.push(length(String(field.value)), field.checked, field.disabled);
    // Headings have an order, and landmarks have different names.
    if (element.matches('h1, h2, h3, h4, h5, h6, [role=heading]')) {
      own.push(level);
      if (isShown) level = element.getAttribute('aria-level') ?? element.tagName;
    }
    if (element.matches(landmarks)) own.push(allLandmarks);
    return own.join('\u{1f}');
  };
  // What rules read of the elements around another one.
  const around = (element: Element) => {
    const hasName = element.matches('[aria-label], [aria-labelledby], [title]');
    return [element.tagName, hasName, ...aroundIt.map((name) => element.getAttribute(name))].join();
  };
  const visit = (element: Element, path: string, classes: string): string => {
    const at = parts.length;
    parts.push(element);
    let own = ownOf(element, at);
    const isDrawing = element.tagName === 'svg' && !element.querySelector('text, title, a, [role], [tabindex]');
    if (!isDrawing && (element.checkVisibility() || element.tagName === 'HEAD')) {
      const below = hash(path + around(element));
      const withClasses = hash(classes + below + element.className + hovered.has(element));
      // Rows that are the same count once.
      own += [...new Set([...element.children].map((child) => visit(child, below, withClasses)))].join();
    }
    const all = hash(own);
    structure[at] = hash(path + all);
    colours[at] = hash(classes + all);
    ends[at] = parts.length;
    return all;
  };
  visit(root, '', '');

  const pressable = 'button, input, select, textarea, a[href], summary, [tabindex]:not([tabindex^="-"])';
  const numbers = new Map(parts.map((element, at) => [element, at]));
  const layout = new Map<string, number>();
  for (const element of document.body.querySelectorAll(pressable)) {
    if (!element.checkVisibility()) continue;
    const { left, right, top, bottom, width, height } = element.getBoundingClientRect();
    const at = (x: number, y: number) => {
      const one = document.elementFromPoint(x, y);
      return one ? (element.contains(one) ? 'own' : one.closest(pressable) ? 'other' : 'none') : 'outside';
    };
    const [x, y, half] = [(left + right) / 2, (top + bottom) / 2, 12];
    const isSmall = width < 2 * half || height < 2 * half;
    const points = [
      ...[
        [x, y],
        [left + 3, top + 3],
        [right - 3, top + 3],
        [left + 3, bottom - 3],
        [right - 3, bottom - 3],
      ],
      ...(isSmall
        ? [
            [x - half, y],
            [x + half, y],
            [x, y - half],
            [x, y + half],
          ]
        : []),
    ];
    const sizes = [width, height].map((size) => Math.min(Math.round(size), 2 * half));
    const kind = [element.tagName, element.getAttribute('role'), element.getAttribute('class')];
    layout.set([...kind, ...sizes, ...points.map(([x = 0, y = 0]) => at(x, y))].join(), numbers.get(element) ?? 0);
  }
  for (const [number, element] of parts.entries()) {
    if (element.scrollHeight <= element.clientHeight && element.scrollWidth <= element.clientWidth) continue;
    const { overflowX, overflowY } = getComputedStyle(element);
    if (!/auto|scroll/.test(overflowX + overflowY)) continue;
    const kind = [element.tagName, element.getAttribute('role'), element.getAttribute('class')];
    layout.set(
      ['scrolls', ...kind, element.matches(pressable), element.querySelector(pressable) !== null].join(),
      number,
    );
  }

  Object.assign(window, { parts });
  const scheme = `${root.hasAttribute('data-contrast') ? 'contrast-' : ''}${root.getAttribute('data-mantine-color-scheme')}`;
  return {
    ...{ structure: structure.join(' '), colours: colours.join(' ') },
    ...{ ends, texts: withText, layout: [...layout], scheme },
  };
}
