import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';

/** Fails on anything in the page that somebody could not use. */
export async function expectAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
    .analyze();
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
  expect(found, what).toEqual([]);
}

/** Switches to a theme, if the page is not in it. */
export async function inTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  const root = page.locator('html');
  if ((await root.getAttribute('data-mantine-color-scheme')) !== theme) {
    await page.getByRole('button', { name: /light and dark/i }).click();
  }
  await expect(root).toHaveAttribute('data-mantine-color-scheme', theme);
}
