import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { type Bound, chooseCustomer, emptyCart, openPage, pageNames, putGuji, test, typeText } from './desk';
import { de, words } from './german';
import { look } from './look';

/** Hints in empty fields that are wider than their field, on the smallest window people use. */
async function expectWholeHints(page: Page, where: string): Promise<void> {
  const size = page.viewportSize();
  await page.setViewportSize({ width: 1024, height: 700 });
  const cut = await page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
    return [...document.querySelectorAll<HTMLInputElement>('input[placeholder]')]
      .filter((field) => field.checkVisibility() && field.value === '')
      .filter((field) => {
        const { font, paddingLeft, paddingRight } = getComputedStyle(field);
        pen.font = font;
        const room = field.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
        return pen.measureText(field.placeholder).width > room + 1;
      })
      .map(({ placeholder }) => placeholder);
  });
  expect(cut, `hints that are cut off: ${where}`).toEqual([]);
  if (size) await page.setViewportSize(size);
}

/** English texts, seen or read to a screen reader, that have a German translation. */
async function expectGerman(page: Page, where: string): Promise<void> {
  const shown = await page.evaluate(() => {
    const found: string[] = [];
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const { parentElement } = node;
      if (!parentElement?.closest('script, style, [lang="en"]') && parentElement?.checkVisibility()) {
        found.push(node.textContent ?? '');
      }
    }
    for (const name of ['aria-label', 'placeholder', 'title', 'aria-description', 'alt']) {
      for (const one of document.querySelectorAll(`[${name}]`)) found.push(one.getAttribute(name) ?? '');
    }
    return found.map((text) => text.trim());
  });
  const germans = new Set(words.values());
  const english = shown.filter((text) => {
    if (text === 'owner') return false; // data, as it is kept: who began the sample shop from the command line
    const german = words.get(text);
    if (germans.has(text)) return false; // “Was” is German for “What” too
    return german !== undefined && german !== text;
  });
  expect([...new Set(english)], `English left: ${where}`).toEqual([]);
  const amounts = shown.filter((text) => /[$€£¥][\d,]+\.\d\d/.test(text)); // “$5” is data
  expect([...new Set(amounts)], `amounts as English writes them: ${where}`).toEqual([]);
  expect(shown.length, where).toBeGreaterThan(20);
}

/** Sets the language by a call, in any language of the window. The page reloads before the answer comes. */
async function speak(page: Page, language: 'en' | 'de'): Promise<void> {
  await page.evaluate((chosen) => {
    const { go } = window as unknown as Bound;
    const call = {
      capability: 'language.set',
      arguments: { language: chosen },
      caller: { type: 'ui', source: 'flow' },
    };
    void go?.main?.App?.Invoke(JSON.stringify({ ...call, request_id: crypto.randomUUID() }));
  }, language);
  await expect(page.locator('html')).toHaveAttribute('lang', language);
}

async function openGerman(page: Page, name: string): Promise<void> {
  await page
    .getByRole('navigation', { name: de('Pages') })
    .getByRole('button', { name: de(name) })
    .click();
  await expect(page.getByRole('heading', { level: 1, name: de(name) })).toBeAttached();
}

test('German, chosen in the settings, everywhere; and English again', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  await desk.getByRole('radiogroup', { name: 'Language' }).getByRole('radio', { name: 'Deutsch' }).click();
  try {
    await expect(desk.locator('html')).toHaveAttribute('lang', 'de');
    // The reopened window shows the same page.
    await expect(desk.getByRole('heading', { level: 1, name: de('Settings') })).toBeAttached();
    await expect(
      desk.getByRole('radiogroup', { name: de('Language') }).getByRole('radio', { name: 'Deutsch' }),
    ).toBeChecked();
    await expectGerman(desk, 'settings');
    await expectAccessible(desk, 'settings in German');

    for (const name of pageNames.filter((page) => page !== 'Settings')) {
      await openGerman(desk, name);
      await expect(desk.getByRole('progressbar')).toHaveCount(0);
      await expectGerman(desk, name);
      await expectWholeHints(desk, name);
      await look(desk, `german-${name.toLowerCase()}`);
    }

    await openGerman(desk, 'Orders');
    await desk.getByRole('grid').getByRole('row').first().click();
    await expect(desk.getByRole('region', { name: de('Lines') })).toContainText(de('Subtotal'));
    await expectGerman(desk, 'an order');

    await desk.keyboard.press('Control+K');
    await expect(desk.getByRole('combobox', { name: de('Find pages, records, settings, actions') })).toBeFocused();
    await expectGerman(desk, 'palette');
    await typeText(desk, 'stornieren');
    await expect(desk.getByRole('dialog').getByRole('option').first()).toContainText(de('Cancel an order'));
    await look(desk, 'german-palette');
    await desk.keyboard.press('Escape');

    await desk.keyboard.press('Control+J');
    await desk
      .getByRole('textbox', { name: de('Message to the assistant') })
      .fill('Submit my order to my home address.');
    await desk.keyboard.press('Enter');
    const card = desk.getByRole('article', { name: /Bestellung für Ana Ruiz aufgeben/ });
    await expect(card).toContainText('123 Main St');
    await expect(card).toContainText(/\d,\d\d\s\$/);
    await expectGerman(desk, 'card');
    await expectWholeHints(desk, 'card');
    await look(desk, 'german-card');
    await card.getByRole('button', { name: de('Deny'), exact: true }).click();
    await expect(card).toHaveCount(0);
    await desk.keyboard.press('Control+J');

    await openGerman(desk, 'Audit');
    await expect(desk.getByRole('row', { name: /aufgeben/ }).first()).toBeVisible();
  } finally {
    await speak(desk, 'en');
  }
  await expect(desk.getByRole('navigation', { name: 'Pages' })).toBeVisible();
});
