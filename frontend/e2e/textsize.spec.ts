import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { card, invoke, placeOrder, say, test } from './bridge';
import { openPage, pageNames, putGuji, real } from './desk';
import { look } from './look';

test.skip(!real, 'the text size is kept by the application');

const small = { width: 1024, height: 700 };
const fontSize = (page: Page) => page.evaluate(() => getComputedStyle(document.documentElement).fontSize);

test.afterEach(async ({ desk }) => {
  await invoke(desk, 'textSize.set', { size: 100 });
  await invoke(desk, 'density.set', { density: 'system' });
});

test('Ctrl + enlarges the text, Ctrl − reduces it, and the person has it again later', { tag: '@long' }, async ({
  desk,
}) => {
  await desk.keyboard.press('Control++');
  await expect.poll(() => fontSize(desk)).toBe('17.6px');
  await desk.keyboard.press('Control+=');
  await expect.poll(() => fontSize(desk)).toBe('20px');
  await desk.reload();
  await expect(desk.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await expect.poll(() => fontSize(desk)).toBe('20px');
  await desk.keyboard.press('Control+-');
  await expect.poll(() => fontSize(desk)).toBe('17.6px');
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  const size = desk.getByRole('combobox', { name: 'Everything grows with the text' });
  await expect(size).toHaveValue('110 %');
  await size.click();
  await desk.getByRole('option', { name: '200 %' }).click();
  await expect.poll(() => fontSize(desk)).toBe('32px');
  await look(desk, 'settings-large-text');
  await desk.keyboard.press('Control+0');
  await expect.poll(() => fontSize(desk)).toBe('16px');
});

/** Texts of buttons, links, fields and headings that are cut off or lie outside of the window. */
async function clipped(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('button, input:not([type=radio], [type=checkbox]), a[href], h1, h2')]
      .filter((element) => element.checkVisibility() && !element.closest('[class*=skip]'))
      .filter((element) => {
        element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
        const { left, right, top, bottom, width } = element.getBoundingClientRect();
        const outside = left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
        return width > 1 && outside;
      })
      .map((element) => element.getAttribute('aria-label') ?? element.textContent ?? element.outerHTML.slice(0, 80)),
  );
}

test('at 200 % every page fits the smallest usual window', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'textSize.set', { size: 200 });
  await expect.poll(() => fontSize(desk)).toBe('32px');
  await desk.setViewportSize(small);
  await putGuji(desk);
  await look(desk, 'counter-large-text');
  for (const page of pageNames) {
    await openPage(desk, page);
    await expectAccessible(desk, `${page} at 200 %`);
    expect(await clipped(desk), `${page}: outside of the window`).toEqual([]);
    if (page === 'Orders') {
      await expect(desk.getByRole('grid', { name: 'Orders' }).getByRole('row').first()).toBeVisible();
      await look(desk, 'orders-large-text');
    }
  }
});

/** Whether an element is seen as it is, without scrolling. */
async function inSight(text: ReturnType<Page['locator']>): Promise<boolean> {
  return text.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const edges = [
      [left + 2, y],
      [right - 2, y],
      [x, top + 2],
      [x, bottom - 2],
    ] as const;
    return edges.every(([x, y]) => element.contains(document.elementFromPoint(x, y)));
  });
}

test('at 200 % a card shows its sentence and its buttons, whether the conversation is open or not', {
  tag: '@long',
}, async ({ desk, model }) => {
  const orderId = await placeOrder(desk);
  await invoke(desk, 'textSize.set', { size: 200 });
  await expect.poll(() => fontSize(desk)).toBe('32px');
  await desk.setViewportSize(small);
  model.script({ calls: [{ name: 'order_cancel', args: { orderId, reason: 'ordered by mistake' } }] });
  await say(desk, 'Cancel it, please');
  await expect(card(desk)).toBeVisible();
  const buttons = [/^Deny/, /^Allow once/].map((name) => card(desk).getByRole('button', { name }));
  for (const conversation of ['open', 'closed']) {
    for (const part of [card(desk).getByRole('heading'), ...buttons]) {
      await expect.poll(() => inSight(part.first()), `${conversation}: ${await part.first().innerText()}`).toBe(true);
    }
    await expectAccessible(desk, `card at 200 %, conversation ${conversation}`);
    await look(desk, conversation === 'open' ? 'card-large-text-chat' : 'card-large-text');
    await desk.keyboard.press('Control+J');
  }
  await invoke(desk, 'language.set', { language: 'de' });
  try {
    await expect(desk.locator('html')).toHaveAttribute('lang', 'de');
    const german = desk.getByRole('article').filter({ has: desk.getByRole('button', { name: 'Ablehnen' }) });
    for (const name of ['Ablehnen', 'Einmal erlauben']) {
      await expect.poll(() => inSight(german.getByRole('button', { name })), name).toBe(true);
    }
    await expect.poll(() => inSight(german.getByRole('heading').first())).toBe(true);
    await look(desk, 'card-large-text-german');
    await german.getByRole('button', { name: 'Ablehnen' }).click();
    await expect(german).toHaveCount(0);
  } finally {
    await invoke(desk, 'language.set', { language: 'en' });
    await expect(desk.locator('html')).toHaveAttribute('lang', 'en');
  }
});

/** What can be pressed or typed into and is smaller than a finger needs. Links in sentences are as high as their line. */
async function tooSmall(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll<HTMLElement>(
        'button, input, select, textarea, [role=option], [role=tab], [role=row][aria-selected]',
      ),
    ]
      .filter(
        (element) => element.checkVisibility() && element.tabIndex >= -1 && !element.closest('[aria-hidden=true]'),
      )
      .map((element) => {
        const marked = element.matches('[type=checkbox], [type=radio]');
        return (
          (marked &&
            element.closest<HTMLElement>(
              '[class*=Checkbox-body], [class*=Radio-body], [class*=Switch-body], [role=gridcell], label',
            )) ||
          element
        );
      })
      .filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        return width > 1 && (height < 44 || width < 44);
      })
      .map((element) => {
        const { width, height } = element.getBoundingClientRect();
        const name = element.getAttribute('aria-label') ?? element.textContent?.trim() ?? '';
        return `${name || element.outerHTML.slice(0, 120)}: ${Math.round(width)} × ${Math.round(height)}`;
      }),
  );
}

test('in the touch density a finger finds everything', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'density.set', { density: 'touch' });
  await expect(desk.locator('html')).toHaveAttribute('data-density', 'touch');
  await putGuji(desk);
  await look(desk, 'counter-touch');
  for (const page of pageNames) {
    await openPage(desk, page);
    await expect(
      desk
        .getByRole('main')
        .getByRole('status')
        .filter({ hasText: /Reading|Adding up/ }),
    ).toHaveCount(0);
    expect.soft(await tooSmall(desk), page).toEqual([]);
    if (page === 'Orders') await look(desk, 'orders-touch');
    if (page === 'Settings') {
      for (const tab of await desk.getByRole('tab').all()) {
        await tab.click();
        expect.soft(await tooSmall(desk), `Settings, ${await tab.innerText()}`).toEqual([]);
      }
    }
  }
  await openPage(desk, 'Orders');
  await desk.getByRole('grid', { name: 'Orders' }).getByRole('row').first().click();
  await expect(desk.getByRole('heading', { level: 1, name: /#W/ })).toBeVisible();
  expect.soft(await tooSmall(desk), 'an order').toEqual([]);
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeVisible();
  expect.soft(await tooSmall(desk), 'the assistant').toEqual([]);
  await desk.keyboard.press('Control+K');
  await expect(desk.getByRole('dialog').getByRole('option').first()).toBeVisible();
  expect.soft(await tooSmall(desk), 'the palette').toEqual([]);
});

test('fingers on the screen choose the touch density', { tag: '@long' }, async ({ desk }) => {
  const session = await desk.context().newCDPSession(desk);
  await session.send('Emulation.setEmitTouchEventsForMouse', { enabled: true, configuration: 'mobile' });
  await session.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 });
  await expect(desk.locator('html')).toHaveAttribute('data-density', 'touch');
});
