import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';

type Scheme = 'light' | 'dark';

const small = { width: 1024, height: 700 };
const large = { width: 1920, height: 1080 };

const looks = [
  ['dark', small],
  ['light', large],
  ['light', small],
  ['dark', large],
] as const;

/*
 * DESKHAND_LOOK says in how many ways a surface is checked: one (dark and small or
 * light and large, by its name: about half of all each), both of these, or all four.
 * With DESKHAND_PICTURES set there is a picture of each, for a person to look at, and
 * DESKHAND_LOOK=pictures leaves it at that.
 */
const { DESKHAND_PICTURES: pictures, DESKHAND_LOOK: which = pictures ? 'all' : 'one' } = process.env;

function looksAt(name: string) {
  if (pictures || which === 'all') return looks;
  if (which === 'both') return looks.slice(0, 2);
  const half = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 2;
  return looks.slice(half, half + 1);
}

/** Checks the window in each look. The scheme is set on the page alone: no capability is invoked or recorded. */
export async function look(page: Page, name: string): Promise<void> {
  const size = page.viewportSize();
  const scheme = (await page.locator('html').getAttribute('data-mantine-color-scheme')) as Scheme;
  for (const [as, at] of looksAt(name)) {
    await show(page, as, at);
    if (pictures) await page.screenshot({ path: `test-results/${name}-${as}-${at.width}.png` });
    const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(wider, `${name} is wider than a window of ${at.width}`).toBeLessThanOrEqual(0);
    expect(await tooSmall(page), `${name} has words smaller than 12px`).toEqual([]);
    if (which !== 'pictures') await expectAccessible(page, `${name}, ${as}, ${at.width}`);
  }
  await show(page, scheme, size ?? large);
}

/** Texts smaller than the smallest readable size. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body *')]
      .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim()))
      .filter((element) => element.checkVisibility() && Number.parseFloat(getComputedStyle(element).fontSize) < 12)
      .map((element) => element.outerHTML.slice(0, 160)),
  );
}

/** Sets the scheme and size of the page, and waits until it is painted. */
async function show(page: Page, scheme: Scheme, size: typeof small | typeof large): Promise<void> {
  await page.setViewportSize(size);
  await page.evaluate(async (as) => {
    document.documentElement.setAttribute('data-mantine-color-scheme', as);
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame); // charts measure, then draw
  }, scheme);
}

/** Takes a picture for the documentation once nothing on the page is loading or moving. */
export async function take(page: Page, name: string): Promise<void> {
  const offer = page.getByRole('button', { name: 'Not now' }); // the offer of the tour to a new person
  if (await offer.isVisible()) await offer.click();
  await expect(offer).toHaveCount(0);
  await page.mouse.move(0, 0);
  await page.screenshot({ path: `../docs/images/${name}.png`, animations: 'disabled' });
}
