import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { invoke } from './bridge';

const sizes = [
  { width: 1024, height: 700 },
  { width: 1920, height: 1080 },
] as const;

/**
 * Has the window checked in both schemes. With DESKHAND_PICTURES set it also
 * takes a picture of each, small and large, for somebody to look at.
 */
export async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await invoke(page, 'theme.set', { theme }); // a dialog may stand before the button
    await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', theme);
    for (const size of process.env.DESKHAND_PICTURES ? sizes : []) {
      await page.setViewportSize(size);
      await page.screenshot({ path: `test-results/${name}-${theme}-${size.width}.png` });
    }
    await expectAccessible(page, `${name}, ${theme}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}
