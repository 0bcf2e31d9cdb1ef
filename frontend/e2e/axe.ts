import { expect, type Page } from '@playwright/test';
import axe from 'axe-core';

/** All rules. */
export const everything: axe.RunOnly = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};

/** What a colour scheme can change: colours alone. */
export const ofColours: axe.RunOnly = { type: 'rule', values: ['color-contrast', 'link-in-text-block'] };

/** What longer words can change: where things are. All other rules read the tree, which stays. */
export const ofLayout: axe.RunOnly = { type: 'rule', values: ['target-size', 'scrollable-region-focusable'] };

/** Fails on accessibility violations in the page. The page has no frames, so axe runs in it directly. */
export async function expectAccessible(page: Page, what: string, runOnly = everything): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (rules) => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(document, {
      ...{ runOnly: rules, resultTypes: ['violations'], iframes: false, preload: false },
    });
    // What lies half under a list or a calendar is pressed when that is closed.
    const front = [...document.querySelectorAll('.mantine-Popover-dropdown')].filter((one) => one.checkVisibility());
    const counts = (id: string, { target }: axe.NodeResult) =>
      id !== 'target-size' ||
      front.length === 0 ||
      front.some((one) => one.contains(document.querySelector(String(target[0]))));
    return violations
      .map(({ id, nodes }) => ({ id, nodes: nodes.filter((node) => counts(id, node)) }))
      .filter(({ nodes }) => nodes.length > 0)
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  }, runOnly);
  expect.soft(found, what).toEqual([]);
}
/** Switches to a theme, if the page is not in it. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const root = page.locator('html');
  if ((await root.getAttribute('data-mantine-color-scheme')) !== theme) {
    await page.getByRole('button', { name: /light and dark/i }).click();
  }
  await expect(root).toHaveAttribute('data-mantine-color-scheme', theme);
}
