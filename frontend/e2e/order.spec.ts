import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, openPage, tabTo, test, typeText } from './desk';

const orderNumber = /#W\d{7}/;

/** Opens the newest order and checks that it is Ana's, and the one meant. */
async function expectNewestOrder(page: Page, id: string): Promise<void> {
  await openPage(page, 'Orders');
  const newest = page.getByRole('grid', { name: 'Orders' }).getByRole('row').first();
  await expect(newest).toContainText(id);
  await expect(newest).toContainText('Ana Ruiz');
}

/** Opens the trace of the newest order from the audit list: one record, with its rows. */
async function expectOneTrace(page: Page, id: string): Promise<void> {
  await openPage(page, 'Audit');
  await page
    .getByRole('grid', { name: 'Records' })
    .getByRole('row', { name: /Submit order for Ana Ruiz/ })
    .first()
    .click();
  await expect(page.getByRole('heading', { level: 1, name: 'Trace' })).toBeVisible();
  const steps = page.getByRole('region', { name: 'Steps' });
  await expect(steps).toContainText('What it changed');
  await expect(steps).toContainText(id);
}

test('by chat: two sentences, one confirmation, one trace', async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await desk.keyboard.press('Control+J');
  const say = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await expect(say).toBeFocused();
  await typeText(desk, 'Add two bags of the Guji to Ana’s cart.');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await expect(desk.getByRole('region', { name: 'Waiting for your answer' })).toHaveCount(0);

  await say.fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const card = desk.getByRole('article', { name: /Ana Ruiz/ });
  await expect(card.getByRole('heading')).toContainText(/Submit.*Ana Ruiz.*123 Main St.*4242/);
  await expect(card.getByText(/^(All \d+ changed rows|What it changes)$/)).toBeVisible();
  await expect(card.getByRole('button', { name: 'Deny' })).toBeFocused();
  await expect(card).toContainText(/Sent to|Shipping address/);
  await desk.screenshot({ path: 'test-results/card.png' });
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(card).toHaveCount(0);

  const log = desk.getByRole('log', { name: 'What was said' });
  await expect(log).toContainText(orderNumber);
  const id = (await log.textContent())?.match(orderNumber)?.[0] ?? '';
  await log
    .getByRole('article', { name: /^Submit/ })
    .getByRole('button', { name: /see the record/ })
    .click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Trace' })).toBeVisible();
  await expect(desk.getByRole('region', { name: 'Steps' })).toContainText('Submit my order to my home address.');
  await expect(desk.getByRole('region', { name: 'Steps' })).toContainText('What it changed');
  await expectNewestOrder(desk, id);
});

test('by chat: what is denied does not happen', { tag: '@long' }, async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await desk.keyboard.press('Control+J');
  const say = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await say.fill('Add two bags of the Guji to Ana’s cart.');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await say.fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const card = desk.getByRole('article', { name: /Ana Ruiz/ });
  await expect(card).toBeVisible();
  await desk.keyboard.press('Control+J');
  await expect(card, 'closing the conversation is not an answer').toBeVisible();
  await desk.keyboard.press('F8');
  await expect(card.getByRole('button', { name: 'Deny' }), 'not a link of the card').toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
});

test('by mouse: search, cart, submit', async ({ desk }) => {
  await emptyCart(desk);
  await desk.getByRole('button', { name: /(Choose|Change) customer/ }).click();
  await desk.getByRole('combobox', { name: 'Search customers' }).fill('Ana Ruiz');
  await desk.getByRole('option', { name: /Ana Ruiz/ }).click();
  await desk.getByRole('combobox', { name: 'Search products' }).fill('guji');
  const guji = desk.getByRole('grid', { name: 'Products found' }).getByRole('row', { name: /Guji/ }).first();
  await guji.click();
  const cart = desk.getByRole('region', { name: 'Cart' });
  const quantity = cart.getByRole('textbox', { name: /^Quantity of Guji/ });
  await expect(quantity).toHaveValue('1');
  await quantity.fill('2');
  await expect(cart.getByRole('listitem')).toContainText('each');
  await cart.getByRole('radio', { name: /Home/ }).check();
  await cart.getByRole('button', { name: /4242/ }).click();
  await cart.getByRole('button', { name: /Submit order · \$/ }).click();
  await expect(cart.getByRole('status')).toContainText(orderNumber);
  const id = (await cart.getByRole('status').textContent())?.match(orderNumber)?.[0] ?? '';
  await cart.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${id}` })).toBeVisible();
  await expect(desk.getByRole('region', { name: 'Lines' })).toContainText('Guji');
  await expectNewestOrder(desk, id);
  await expectOneTrace(desk, id);
});

test('by keyboard only: F3, F2, F9', async ({ desk }) => {
  await emptyCart(desk);
  await chooseCustomer(desk, 'Ana Ruiz');
  await desk.keyboard.press('F2');
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
  await typeText(desk, 'guji');
  await expect(desk.getByRole('grid').getByRole('row').first()).toContainText('Guji');
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await tabTo(desk, desk.getByRole('textbox', { name: /^Quantity of Guji/ }));
  await desk.keyboard.press('Control+A');
  await typeText(desk, '2');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('button', { name: /Submit order · \$47\.83/ })).toBeVisible();
  await tabTo(desk, desk.getByRole('radiogroup', { name: /^Send to/ }).getByRole('radio'));
  await desk.keyboard.press('ArrowDown');
  await expect(desk.getByRole('radio', { name: /Work/ })).toBeChecked();
  await desk.keyboard.press('ArrowUp');
  await expect(desk.getByRole('radio', { name: /Home/ })).toBeChecked();
  await desk.keyboard.press('F9');
  await expect(desk.getByRole('button', { name: 'Open order' })).toBeVisible();
  await tabTo(desk, desk.getByRole('button', { name: 'Open order' }));
  await desk.keyboard.press('Enter');
  const heading = desk.getByRole('heading', { level: 1, name: /Order #W/ });
  await expect(heading).toBeVisible();
  await expect(desk.getByRole('region', { name: 'Lines' })).toContainText('Guji');
  const id = (await heading.textContent())?.match(orderNumber)?.[0] ?? '';
  await expectNewestOrder(desk, id);
  await expectOneTrace(desk, id);
});

/** The open list of a field of a form. */
function choices(page: Page, field: string) {
  return page.getByRole('listbox', { name: new RegExp(`^${field}( \\*)?$`) });
}

test('from the palette: add to the cart, then submit', { tag: '@long' }, async ({ desk }) => {
  await emptyCart(desk);
  await chooseCustomer(desk, 'Ana Ruiz');
  await desk.keyboard.press('Control+K');
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await typeText(desk, 'cart.addItem');
  await desk.keyboard.press('Enter');
  const product = dialog.getByRole('combobox', { name: /^Product/ });
  await product.fill('guji');
  await choices(desk, 'Product').getByRole('option', { name: /Guji/ }).first().click();
  await dialog.getByRole('textbox', { name: /^Quantity/ }).fill('2');
  await dialog.locator('button[type=submit]').click();
  await expect(dialog.getByRole('status')).toHaveText('Done');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');

  await desk.keyboard.press('Control+K');
  await expect(dialog.getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await typeText(desk, 'checkout.submit');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('combobox').first(), 'the form takes the focus').toBeFocused();
  await dialog.getByRole('combobox', { name: /^Shipping address/ }).click();
  await desk.keyboard.press('Escape');
  await expect(choices(desk, 'Shipping address'), 'Escape closes the list, not the form').toHaveCount(0);
  await dialog.getByRole('combobox', { name: /^Shipping address/ }).click();
  await choices(desk, 'Shipping address').getByRole('option', { name: /Home/ }).click();
  await dialog.getByRole('combobox', { name: /^Payment method/ }).click();
  await choices(desk, 'Payment method').getByRole('option', { name: /4242/ }).click();
  await dialog.locator('button[type=submit]').click();
  const result = dialog.getByRole('region', { name: 'Result' });
  await expect(result).toContainText(orderNumber);
  const id = (await result.textContent())?.match(orderNumber)?.[0] ?? '';
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expectNewestOrder(desk, id);
  await expectOneTrace(desk, id);
});
