import { expect, type Page } from '@playwright/test';
import { card, invoke, placeOrder, say, test } from './bridge';
import { chooseCustomer, emptyCart, openPage, putGuji, scan } from './desk';
import { look } from './look';

const cartOf = (page: Page) => page.getByRole('region', { name: 'Cart' });
const guji = (page: Page) => cartOf(page).getByRole('textbox', { name: /^Quantity of Guji/ });
const mug = (page: Page) => cartOf(page).getByRole('textbox', { name: /^Quantity of .*[Mm]ug/ });

/** The first variant with a code that a search finds. */
async function codeOf(page: Page, query: string): Promise<string> {
  type Found = { products: { variants: { barcode?: string; sku?: string }[] }[] };
  const { products } = await invoke<Found>(page, 'catalog.search', { query });
  const [variant] = products.flatMap(({ variants }) => variants);
  return variant?.barcode ?? variant?.sku ?? '';
}

/** The sounds so far: the pitch of each tone. */
async function sounds(page: Page): Promise<number[]> {
  return page.evaluate(() => (window as unknown as { sounds: number[] }).sounds);
}

test.beforeEach(async ({ desk }) => {
  await desk.evaluate(() => {
    const heard: number[] = [];
    Object.assign(window, { sounds: heard });
    const { start } = OscillatorNode.prototype;
    OscillatorNode.prototype.start = function (this: OscillatorNode, when) {
      heard.push(this.frequency.value);
      start.call(this, when);
    };
  });
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
});

test('the first scan after a sale begins the next order', async ({ desk }) => {
  const code = await codeOf(desk, 'mug');
  await putGuji(desk);
  await desk.keyboard.press('F9');
  const open = desk.getByRole('button', { name: 'Open order' });
  await expect(open).toBeVisible();
  await expect(desk.getByRole('combobox', { name: 'Search products' }), 'a slow scanner types there').toBeFocused();
  await scan(desk, code);
  await expect(mug(desk)).toHaveValue('1');
  await expect(open, 'the notice of the last sale is gone').toHaveCount(0);
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
  expect(await sounds(desk)).toEqual([1320]);
  await look(desk, 'scanner-next');
});

test('on coming back to the counter the focus is in the search, not on the last order', { tag: '@long' }, async ({
  desk,
}) => {
  await putGuji(desk);
  await desk.keyboard.press('F9');
  await expect(desk.getByRole('button', { name: 'Open order' })).toBeVisible();
  await openPage(desk, 'Catalog');
  await openPage(desk, 'Counter');
  await expect(desk.getByRole('button', { name: 'Open order' })).toBeVisible();
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
});

test('a scan types into no quantity, and several scans are all heard', { tag: '@long' }, async ({ desk }) => {
  const [first, second] = [await codeOf(desk, 'guji'), await codeOf(desk, 'mug')];
  await putGuji(desk);
  await guji(desk).focus();
  await guji(desk).press('Control+A');
  for (const code of [second, first, second, first, second]) await scan(desk, code);
  await expect(mug(desk)).toHaveValue('3');
  await expect(guji(desk)).toHaveValue('3');
  expect(await sounds(desk)).toEqual([1320, 1320, 1320, 1320, 1320]);
});

test('a scan denies no card', { tag: '@long' }, async ({ desk, model }) => {
  const [code, order] = [await codeOf(desk, 'mug'), await placeOrder(desk)];
  const args = { orderId: order, reason: 'no longer needed' };
  model.script({ calls: [{ name: 'order_cancel', args }] }, { text: ['Left as it is.'] });
  await say(desk, `Cancel ${order}`);
  await expect(card(desk).getByRole('button', { name: 'Deny' })).toBeFocused();
  await scan(desk, code);
  await expect(mug(desk)).toHaveValue('1');
  await expect(card(desk)).toHaveCount(1);
  await card(desk).getByRole('textbox', { name: 'Reason for denying' }).focus();
  await scan(desk, code);
  await expect(mug(desk)).toHaveValue('2');
  await expect(card(desk).getByRole('textbox', { name: 'Reason for denying' })).toHaveValue('');
  await expect(card(desk)).toHaveCount(1);
  await look(desk, 'scanner-card');
});

test('a code of no product is said, and the search shows it', { tag: '@long' }, async ({ desk }) => {
  await scan(desk, '0000000000000');
  await expect(desk.getByRole('region', { name: 'Products' })).toContainText('No match');
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toHaveValue('0000000000000');
  expect(await sounds(desk)).toEqual([220, 220]);
  await openPage(desk, 'Reports');
  await scan(desk, '0000000000000');
  await expect(desk.getByText('No product has the code 0000000000000.')).toBeVisible();
  await look(desk, 'scanner-unknown');
});

test('on another page and in a dialog a scan is for the cart too', { tag: '@long' }, async ({ desk }) => {
  const code = await codeOf(desk, 'mug');
  await openPage(desk, 'Reports');
  await scan(desk, code);
  await expect(desk.getByText('Added. 1 in the cart')).toBeVisible();
  await look(desk, 'scanner-elsewhere');
  await openPage(desk, 'Orders');
  await scan(desk, code);
  await expect(desk.getByText('Added. 2 in the cart')).toBeVisible();
  const [list, notice] = [desk.getByRole('grid', { name: 'Orders' }), desk.getByText('Added. 2 in the cart')];
  const below = async () => {
    const [rows, words] = [await list.boundingBox(), await notice.boundingBox()];
    return (words?.y ?? 0) - (rows?.y ?? 0) - (rows?.height ?? 0);
  };
  expect(await below(), 'the notice lies below the rows').toBeGreaterThanOrEqual(0);
  await openPage(desk, 'Counter');
  await expect(mug(desk)).toHaveValue('2');
  await desk.keyboard.press('F6');
  const hold = desk.getByRole('dialog');
  await hold.getByRole('button', { name: 'Hold the cart' }).focus();
  await scan(desk, code);
  await expect(hold, 'the button was not pressed').toBeVisible();
  await hold.getByRole('textbox').first().focus();
  await scan(desk, code);
  await expect(desk.getByText('Added. 4 in the cart')).toBeVisible();
  await expect(hold.getByRole('textbox').first()).toHaveValue('');
  await look(desk, 'scanner-dialog');
  await desk.keyboard.press('Escape');
  await expect(hold).toHaveCount(0);
  await expect(mug(desk)).toHaveValue('4');
});

test('thirty scans from anywhere are thirty pieces', { tag: '@long' }, async ({ desk, model }) => {
  const [first, second, order] = [await codeOf(desk, 'guji'), await codeOf(desk, 'mug'), await placeOrder(desk)];
  const six = async () => {
    for (const code of [first, second, first, second, first, second]) await scan(desk, code);
  };
  await six();
  await openPage(desk, 'Reports');
  await six();
  await openPage(desk, 'Counter');
  await desk.keyboard.press('F6');
  await expect(desk.getByRole('dialog')).toBeVisible();
  await six();
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(mug(desk)).toHaveValue('9');
  model.script({ calls: [{ name: 'order_cancel', args: { orderId: order, reason: 'no longer needed' } }] });
  await say(desk, `Cancel ${order}`);
  await expect(card(desk).getByRole('button', { name: 'Deny' })).toBeFocused();
  await six();
  await expect(card(desk)).toHaveCount(1);
  const blocked = desk.evaluate(() => {
    for (const end = performance.now() + 300; performance.now() < end; );
  });
  await Promise.all([blocked, six()]);
  await expect(guji(desk)).toHaveValue('15');
  await expect(mug(desk)).toHaveValue('15');
  expect(await sounds(desk)).toEqual(Array(30).fill(1320));
});
