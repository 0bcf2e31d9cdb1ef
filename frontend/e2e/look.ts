import { expect, type Page, test } from '@playwright/test';
import { violations, violationsIn } from './axe';
import { inGerman } from './german';

const small = { width: 1024, height: 700 };
const large = { width: 1920, height: 1080 };

/** A way the window can be seen in. */
interface Way {
  scheme: 'light' | 'dark' | 'contrast-light' | 'contrast-dark';
  size: typeof small;
  text: 100 | 200;
  language: 'en' | 'de';
}

const schemes = ['dark', 'light', 'contrast-light', 'contrast-dark'] as const;

/** Every language, text size and size of the window, each in every scheme. */
const every: Way[] = (['en', 'de'] as const).flatMap((language) =>
  ([100, 200] as const).flatMap((text) =>
    [large, small].flatMap((size) => schemes.map((scheme): Way => ({ scheme, size, text, language }))),
  ),
);

/** Each changes one property of the one before it. */
const layouts = [
  [large, 100],
  [small, 100],
  [small, 200],
  [large, 200],
] as const;

/**
 * Each scheme and each layout once, two of them in German. Which ones belong together goes by the name of the surface:
 * each surface has all pairs of language, size and text, and those of a run have all ways. The usual text comes first:
 * large text may have less contrast.
 */
function fourOf(name: string): Way[] {
  const number = numberOf(name);
  return layouts.map(([size, text], at) => ({
    scheme: schemes[(at + (number >> 1)) % 4] ?? 'dark',
    size,
    text,
    language: (at + number) % 2 === 0 ? 'en' : 'de',
  }));
}

function numberOf(name: string): number {
  return [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 65_521, 7);
}

/** Those that pictures are taken of. */
const usual: Way[] = [
  ['dark', small] as const,
  ['light', large] as const,
  ['light', small] as const,
  ['dark', large] as const,
].map(([scheme, size]) => ({ scheme, size, text: 100, language: 'en' }));

/*
 * DESKHAND_LOOK says in how many ways a surface is checked: one, pages (one, and only for pages.spec.ts), four, usual
 * (four others), every (32), or those of the 32 whose names fit it, such as "de 200 1024". With DESKHAND_PICTURES set
 * there is a picture of each, for a person to look at, and DESKHAND_LOOK=pictures leaves it at those of the usual ways.
 */
const { DESKHAND_PICTURES: pictures, DESKHAND_LOOK: which = pictures ? 'usual' : 'one' } = process.env;

const nameOf = ({ scheme, size, text, language }: Way) => `${language} ${text} ${size.width} ${scheme}`;

function waysOf(name: string): Way[] {
  if (which === 'pages' && !test.info().file.endsWith('pages.spec.ts')) return [];
  if (which === 'one' || which === 'pages') return fourOf(name).filter((_, at) => at === (numberOf(name) >> 3) % 4);
  if (which === 'four') return fourOf(name);
  if (which === 'every') return every;
  if (which === 'usual' || which === 'pictures') return usual;
  const some = every.filter((way) => new RegExp(which).test(nameOf(way)));
  if (some.length === 0) throw new Error(`DESKHAND_LOOK=${which} fits no way`);
  return some;
}

/**
 * Checks the window in each way. They are set on the page alone: no capability is invoked or recorded. What depends on
 * the layout is checked in each layout, colours in each scheme, and all else in each layout of one language: another
 * layout may show other elements. The rules of axe leave out what they have seen: see regions.ts.
 */
export async function look(page: Page, name: string): Promise<void> {
  expect.soft(await problemsOf(page, name, waysOf(name)), name).toEqual([]);
}

/** The ways in a window, which is German for good if it was opened in German. */
function waysIn(language: Way['language'], ways: readonly Way[]): Way[] {
  const possible = ways.map((way) => (language === 'de' ? { ...way, language } : way));
  return [...new Map(possible.map((way) => [nameOf(way), way])).values()];
}

/** What is wrong with the window in each way. */
export async function problemsOf(page: Page, name: string, ways: readonly Way[] = fourOf(name)): Promise<string[]> {
  const problems: string[] = [];
  if (ways.length === 0) return problems;
  const before = await wayOf(page);
  const scrolls = await page.evaluateHandle(() =>
    [...document.querySelectorAll('*')]
      .filter((element) => element.scrollTop || element.scrollLeft)
      .map((element) => [element, element.scrollTop, element.scrollLeft] as const),
  );
  const seen = new Set<string>(); // layouts and schemes
  let layout = '';
  let schemesSeen = ways.length === 1 || ways.length === every.length;
  for (const way of waysIn(before.language, ways)) {
    const { scheme, size, text, language } = way;
    await show(page, way);
    if (pictures) {
      const more = `${text === 200 ? '-200' : ''}${language === 'de' ? '-de' : ''}`;
      await page.screenshot({ path: `test-results/${name}-${scheme}-${size.width}${more}.png` });
    }
    const same = layout === nameOf({ ...way, scheme: 'light' });
    layout = nameOf({ ...way, scheme: 'light' });
    const found = same ? [] : await page.evaluate(layoutProblems, ways.length > 1);
    // In another language or scheme the tree is the same.
    const aspects = [
      !seen.has(`${size.width} ${text}`) && (['structure', 'colours', 'layout'] as const),
      !same && (['layout'] as const),
      !seen.has(scheme) && (['colours'] as const),
    ].find(Boolean);
    seen.add(`${size.width} ${text}`).add(scheme);
    if (which !== 'pictures' && aspects) {
      found.push(...(await violations(page, aspects)));
      // Large text may have less contrast: each scheme is checked with the usual text.
      const others = schemesSeen || text === 200 ? [] : schemes.filter((one) => one !== scheme);
      schemesSeen ||= text === 100;
      found.push(...(await violationsIn(page, others, (one) => page.evaluate(showScheme, one))));
    }
    problems.push(...found.map((one) => `${nameOf(way)}: ${one}`));
  }
  await show(page, before);
  await scrolls.evaluate((kept) => {
    for (const [element, top, left] of kept) element.scrollTo({ top, left, behavior: 'instant' });
  });
  await scrolls.dispose();
  return problems;
}

/** What is wrong with the layout that is shown. Runs in the page. */
function layoutProblems(withReach: boolean): string[] {
  const wider = document.documentElement.scrollWidth - window.innerWidth;
  const found = wider > 0 ? [`wider than the window by ${wider}`] : [];
  const small = [...document.querySelectorAll('body *')]
    .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
    .filter((element) => element.checkVisibility() && Number.parseFloat(getComputedStyle(element).fontSize) < 12)
    .map((element) => element.outerHTML.slice(0, 160));
  found.push(...small.map((one) => `words smaller than 12px: ${one}`));
  if (!withReach) return found;

  // What can be pressed or typed into, and headings, that lie outside of the window or of what scrolls, even when they
  // are scrolled to, or whose own words are cut off. Beside a card that waits and under a dialog, a menu or a calendar
  // nothing is looked for, and the notice of what was just done may lie only on what is none of them.
  const scrolled = [...document.querySelectorAll('*')]
    .filter((element) => element.scrollHeight > element.clientHeight || element.scrollWidth > element.clientWidth)
    .map((element) => [element, element.scrollTop, element.scrollLeft] as const);
  const reached = document.querySelectorAll<HTMLElement>(
    'button, input:not([type=radio], [type=checkbox]), textarea, a[href], [role=tab], h1, h2, h3',
  );
  const fronts = 'article:has([data-deny]), [role=dialog], [role=menu], .mantine-Popover-dropdown';
  const front = [...document.querySelectorAll(fronts)].filter((one) => one.checkVisibility());
  const top = front.at(-1);
  // What goes by itself, or with the next key.
  const passing = '.mantine-Notification-root, .mantine-Notifications-root, [role=listbox]';
  const problems: string[] = [];
  for (const element of reached) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (
      element.closest(
        '[class*=skip], [inert], [aria-hidden=true], .mantine-Notification-root, .mantine-Notifications-root',
      )
    )
      continue;
    if (top && !top.contains(element)) continue;
    const name = element.getAttribute('aria-label') ?? (element.textContent || element.outerHTML.slice(0, 80));
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, right, top: above, bottom, width, height } = element.getBoundingClientRect();
    if (width <= 4) continue; // only told
    const beyond = left < -1 || right > innerWidth + 1 || above < -1 || bottom > innerHeight + 1;
    if (beyond && height <= innerHeight) {
      problems.push(`${name}: ${[left, right, above, bottom].map(Math.round)}`);
      continue;
    }
    const middle = document
      .elementsFromPoint((left + right) / 2, Math.min((above + bottom) / 2, innerHeight - 1))
      .find((one) => !one.closest(top ? '.mantine-Notifications-root' : passing));
    if (!middle || !(element.contains(middle) || middle.contains(element))) {
      problems.push(`${name}: behind ${middle?.outerHTML.slice(0, 100)}`);
    }
    for (const part of [element, ...element.querySelectorAll<HTMLElement>('*')]) {
      if (part instanceof HTMLInputElement || part instanceof HTMLTextAreaElement || part.closest('svg')) continue;
      const { overflowX, textOverflow } = getComputedStyle(part);
      if (overflowX === 'visible' || textOverflow === 'ellipsis') continue;
      if (part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 4) problems.push(`${name}: cut off`);
    }
  }
  for (const [element, top, left] of scrolled) element.scrollTo({ top, left, behavior: 'instant' });
  return [...found, ...[...new Set(problems)].map((one) => `cut off or out of reach: ${one}`)];
}

async function wayOf(page: Page): Promise<Way> {
  const root = await page.evaluate(() => ({
    scheme: document.documentElement.getAttribute('data-mantine-color-scheme') as 'light' | 'dark',
    contrast: document.documentElement.hasAttribute('data-contrast'),
    text: Math.round((Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16) * 100),
    language: document.documentElement.lang as Way['language'],
  }));
  return {
    scheme: root.contrast ? `contrast-${root.scheme}` : root.scheme,
    size: page.viewportSize() ?? large,
    text: root.text as Way['text'],
    language: root.language,
  };
}

/** Shows the page in a way, and waits until it is painted. */
async function show(page: Page, { size, ...way }: Way): Promise<void> {
  const sized = page.viewportSize();
  if (sized?.width !== size.width || sized.height !== size.height) await page.setViewportSize(size);
  const unknown = await page.evaluate(present, { ...way, german: [] });
  if (unknown.length === 0) return;
  const german = unknown.map((text) => [text, inGerman(text)] as const);
  await page.evaluate(present, { ...way, german });
}

/** Runs in the page. */
async function showScheme(scheme: string): Promise<void> {
  const root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', scheme.replace('contrast-', ''));
  root.toggleAttribute('data-contrast', scheme.startsWith('contrast'));
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
}

/** A text node, or an attribute of an element, with its words in English and in German. */
type Said = [node: Node, attribute: string | undefined, english: string, german: string];

/**
 * Sets scheme, text size and language; returns the words whose German is not known yet. Runs in the page. A window that
 * was opened in German has a flow of its own; here layout, names and state are those of the moment.
 */
async function present({
  scheme,
  text: percent,
  language,
  german,
}: Omit<Way, 'size'> & { german: readonly (readonly [english: string, german: string])[] }): Promise<string[]> {
  const root = document.documentElement;
  const kept = window as unknown as {
    said?: Said[];
    words?: Map<string, string>;
    go: { main: { App: { Invoke: (json: string) => Promise<string> } } };
  };
  kept.words ??= new Map();
  const { words } = kept;
  for (const [english, translated] of german) words.set(english, translated);
  const frames = async (count: number) => {
    for (let frame = 0; frame < count; frame += 1) await new Promise(requestAnimationFrame);
  };
  root.setAttribute('data-mantine-color-scheme', scheme.replace('contrast-', ''));
  root.toggleAttribute('data-contrast', scheme.startsWith('contrast'));

  // The keys change the size of the page; that it is kept is left out.
  const { App } = kept.go.main;
  const invoke = App.Invoke;
  App.Invoke = (json) => {
    const { capability, request_id, arguments: args } = JSON.parse(json);
    if (capability !== 'textSize.set') return invoke(json);
    return Promise.resolve(JSON.stringify({ request_id, status: 'success', data: args }));
  };
  const now = () => Math.round((Number.parseFloat(getComputedStyle(root).fontSize) / 16) * 100);
  for (let presses = 0; presses < 10 && now() !== percent; presses += 1) {
    const [was, key] = [now(), percent === 100 ? '0' : percent > now() ? '+' : '-'];
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: true, bubbles: true }));
    for (let turn = 0; turn < 20 && now() === was; turn += 1) await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setTimeout(resolve)); // the page listens to the next key
  }
  if (now() !== percent) root.style.fontSize = `${percent}%`; // before anything of the application is there
  await frames(3); // charts measure, then draw
  App.Invoke = invoke;

  // The words of before.
  for (const [node, attribute, english, german] of kept.said ?? []) {
    if (attribute === undefined) {
      if (node.nodeValue === german) node.nodeValue = english;
    } else if ((node as Element).getAttribute(attribute) === german) {
      (node as Element).setAttribute(attribute, english);
    }
  }
  const spoken = (kept.said?.length ?? 0) > 0 ? 'en' : root.lang;
  kept.said = [];
  if (spoken === 'de') return [];
  root.lang = language;
  if (language === 'en') return [];

  const said: Said[] = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const text = node.nodeValue ?? '';
    if (text.trim() && !node.parentElement?.closest('script, style, [lang]:not(html)')) {
      said.push([node, undefined, text, words.get(text) ?? '']);
    }
  }
  for (const name of ['aria-label', 'placeholder', 'title', 'aria-description', 'aria-valuetext', 'alt']) {
    for (const element of document.querySelectorAll(`[${name}]`)) {
      const text = element.getAttribute(name) ?? '';
      said.push([element, name, text, words.get(text) ?? '']);
    }
  }
  const unknown = new Set(said.map(([, , text]) => text).filter((text) => !words.has(text)));
  if (unknown.size > 0) {
    root.lang = 'en';
    return [...unknown];
  }
  for (const [node, attribute, english, german] of said) {
    if (german === english) continue;
    if (attribute === undefined) node.nodeValue = german;
    else (node as Element).setAttribute(attribute, german);
  }
  kept.said = said;
  await frames(2);
  return [];
}

/** Takes a picture for the documentation once nothing on the page is loading or moving. */
export async function take(page: Page, name: string): Promise<void> {
  const offer = page.getByRole('button', { name: 'Not now' }); // the offer of the tour to a new person
  if (await offer.isVisible()) await offer.click();
  await expect(offer).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `../docs/images/${name}.png`, animations: 'disabled' });
}
