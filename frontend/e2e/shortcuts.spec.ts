import { expect } from '@playwright/test';
import { expectAccessible } from './axe';
import { chooseCustomer, emptyCart, openPage, putGuji, test, typeText } from './desk';

test('the key of a capability opens its form, on any page', async ({ desk }) => {
  await openPage(desk, 'Orders');
  await desk.keyboard.press('Shift+F3');
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: 'Add a customer' })).toBeVisible();
  await expect(dialog.getByRole('textbox', { name: /^Name/ })).toBeFocused();
  await desk.keyboard.press('F6');
  await expect(
    dialog.getByRole('heading', { name: 'Add a customer' }),
    'behind a dialog keys are silent',
  ).toBeVisible();
});

test('a key is one thing: none stands in the list of keys twice', async ({ desk }) => {
  await desk.keyboard.press('F1');
  const keys = await desk.getByRole('dialog', { name: 'Keys' }).locator('dt').allTextContents();
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
});

test('a key that is not possible now says why', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await desk.keyboard.press('F6');
  await expect(desk.getByRole('alert')).toContainText('The cart is empty.');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
});

test('F6 holds the cart, typing or not', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.getByRole('combobox', { name: 'Search products' }).focus();
  await desk.keyboard.press('F6');
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Label' })).toBeFocused();
  await desk.screenshot({ path: 'test-results/hold.png' });
  await typeText(desk, 'Back at noon');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('alert')).toContainText('Back at noon is on hold.');
  await expect(desk.getByRole('region', { name: 'Cart' })).toContainText('The cart is empty');
});

test('on another page the key of what cannot be taken back opens its form', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await openPage(desk, 'Orders');
  await desk.keyboard.press('F9');
  await expect(desk.getByRole('dialog').getByRole('heading', { name: 'Submit the order' })).toBeVisible();
});

test('a part of a form that is optional unfolds when it is wanted', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Orders'); // the counter has a dialog of its own
  await desk.keyboard.press('Shift+F3');
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('textbox', { name: /^Name/ }).fill('Zoe Newcomer');
  await expect(dialog.getByRole('textbox', { name: /^Line 1/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Add an address' }).click();
  await expect(dialog.getByRole('textbox', { name: /^Line 1/ })).toBeVisible();
  await desk.screenshot({ path: 'test-results/part.png' });
  await dialog.getByRole('button', { name: 'Leave it out' }).click();
  await expect(dialog.getByRole('textbox', { name: /^Line 1/ })).toHaveCount(0);
  await dialog.locator('button[type=submit]').click();
  await expect(dialog.getByRole('status')).toHaveText('Done');
});

test('what could come next is offered, first in the palette and after what was done', { tag: '@long' }, async ({
  desk,
}) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.keyboard.press('Control+K');
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('option').first()).toContainText('next');
  await desk.screenshot({ path: 'test-results/palette-next.png' });
  await typeText(desk, 'cart.hold');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Label' })).toBeFocused();
  await desk.keyboard.press('Enter');
  const next = dialog.getByRole('region', { name: 'What could come next' }).getByRole('button').first();
  await expect(next).toBeVisible();
  await desk.screenshot({ path: 'test-results/next.png' });
  await expectAccessible(desk, 'what could come next');
  const title = await next.innerText();
  await next.click();
  await expect(dialog.getByRole('heading', { name: title })).toBeVisible();
});

for (const [key, field] of [
  ['k', 'Find pages, records, settings, actions'],
  ['F3', 'Search customers'],
] as const) {
  test(`what is typed right after ${key} is in the field: ${field}`, async ({ desk }) => {
    const focused = await desk.evaluate(async (key) => {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ctrlKey: key === 'k', bubbles: true }));
      await null; // no other event comes before what waits here
      return document.activeElement?.getAttribute('aria-label');
    }, key);
    expect(focused).toBe(field);
  });
}
