import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';
import { type Aspect, keep, partsOf, type Unchecked, uncheckedOf } from './regions';

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Rules that depend on the size and the place of elements, and so on language, text size and window. */
const ofLayout = ['target-size', 'scrollable-region-focusable'];

/** Rules that depend on colours, and so on the scheme. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** All others: they depend on the attributes and the visibility of elements. */
const ofStructure = axe
  .getRules(tags)
  .filter((rule) => !rule.tags.some((tag) => tag === 'experimental' || tag === 'deprecated'))
  .map(({ ruleId }) => ruleId)
  .filter((rule) => ![...ofLayout, ...ofColours].includes(rule));

const rulesOf: Readonly<Record<Aspect, readonly string[]>> = {
  structure: ofStructure,
  colours: ofColours,
  layout: ofLayout,
};

/** Fails on accessibility violations in the page as it is. What was checked before is left out: see regions.ts. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  expect.soft(await violations(page, ['structure', 'colours', 'layout']), what).toEqual([]);
}

/** The violations in the page as it is, of the rules on some aspects. */
export async function violations(page: Page, aspects: readonly Aspect[]): Promise<string[]> {
  const unchecked = uncheckedOf(await partsOf(page), aspects);
  return unchecked ? run(page, unchecked) : [];
}

/** The violations of the rules on colours in other schemes than that of the page. */
export async function violationsIn(
  page: Page,
  schemes: readonly string[],
  show: (scheme: string) => Promise<void>,
): Promise<string[]> {
  const parts = await partsOf(page);
  const found: string[] = [];
  for (const scheme of schemes) {
    const unchecked = uncheckedOf({ ...parts, scheme }, ['colours']);
    if (!unchecked) continue;
    if (unchecked.aspects.length > 0) await show(scheme);
    found.push(...(await run(page, unchecked)).map((one) => `${scheme}: ${one}`));
  }
  return found;
}

/** The page has no frames, so axe runs in it directly. */
async function run(page: Page, { aspects, leftOut, prints }: Unchecked): Promise<string[]> {
  if (aspects.length === 0) {
    keep(prints);
    return [];
  }
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(axe.source);
    await page.evaluate(() => (window as unknown as { axe: typeof axe }).axe.configure({ noHtml: true }));
  }
  const found = await page.evaluate(
    async ({ values, leftOut }) => {
      const { axe: checker, parts = [] } = window as unknown as { axe: typeof axe; parts?: Element[] };
      const exclude = leftOut.flatMap((at) => parts[at] ?? []);
      const context = { include: [document.documentElement], ...(exclude.length > 0 ? { exclude } : {}) };
      const { violations } = await checker.run(context as unknown as axe.ElementContext, {
        ...{ runOnly: { type: 'rule', values }, resultTypes: ['violations'], iframes: false, preload: false },
        ...{ selectors: false, elementRef: true },
      });
      // A small target half under a list or a calendar is pressed after that is closed.
      const front = [...document.querySelectorAll('.mantine-Popover-dropdown')].filter((one) => one.checkVisibility());
      const counts = (id: string, { element }: axe.NodeResult) =>
        id !== 'target-size' || front.length === 0 || front.some((one) => one.contains(element ?? null));
      return violations
        .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => counts(id, node)) }))
        .filter(({ nodes }) => nodes.length > 0)
        .map(({ id, nodes }) => `${id}: ${nodes.map(({ element }) => element?.outerHTML.slice(0, 160)).join(' | ')}`);
    },
    { values: aspects.flatMap((aspect) => rulesOf[aspect]), leftOut },
  );
  keep(prints);
  return found;
}

/** Switches to a theme, if the page is not in it. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const root = page.locator('html');
  if ((await root.getAttribute('data-mantine-color-scheme')) !== theme) {
    await page.getByRole('button', { name: /light and dark/i }).click();
  }
  await expect(root).toHaveAttribute('data-mantine-color-scheme', theme);
}
