import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { idOfAna, invoke, placeOrder } from './bridge';
import { openPage, pageNames, real, tabTo, test, typeText } from './desk';
import { look } from './look';

/*
 * A whole order and a refund from the palette alone: Ctrl+K, typed words, Tab and
 * Enter. Capabilities, called without the page, prepare the state they begin with.
 */
test.skip(!real, 'refunds are the real shop’s');

const dialogOf = (desk: Page) => desk.getByRole('dialog');

/** Opens the form of a capability. */
async function command(desk: Page, name: string): Promise<void> {
  await desk.keyboard.press('Control+K');
  await expect(dialogOf(desk).getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await typeText(desk, name);
  await expect(dialogOf(desk).getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
  await desk.keyboard.press('Enter');
  await expect(dialogOf(desk).locator('form')).toBeVisible();
}

/** Chooses an option of a form field by name. */
async function choose(desk: Page, field: string, words: string): Promise<void> {
  const input = dialogOf(desk).getByRole('combobox', { name: new RegExp(`^${field}( \\*)?$`) });
  await expect(input).toBeVisible();
  await tabTo(desk, input);
  await typeText(desk, words);
  const found = desk.getByRole('listbox', { name: new RegExp(`^${field}( \\*)?$`) }).getByRole('option');
  await expect(found.first()).toContainText(words);
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(input).toHaveValue(new RegExp(words));
}

/** Submits the form, closes the dialog and returns the text it showed. */
async function run(desk: Page): Promise<string> {
  await tabTo(desk, dialogOf(desk).locator('button[type=submit]'));
  await desk.keyboard.press('Enter');
  await expect(dialogOf(desk).getByRole('status')).toHaveText('Done');
  const told = await dialogOf(desk).textContent();
  await desk.keyboard.press('Enter');
  await expect(dialogOf(desk)).toHaveCount(0);
  return told ?? '';
}

test('an order', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'cart.setCustomer', { customerId: await idOfAna(desk) });
  const { items } = await invoke<{ items: unknown[] }>(desk, 'cart.getSummary', {});
  if (items.length > 0) await invoke(desk, 'cart.clear', {});

  await command(desk, 'cart.setCustomer');
  await choose(desk, 'Customer', 'Ana Ruiz');
  await run(desk);
  await command(desk, 'cart.addItem');
  await choose(desk, 'Product', 'Guji');
  await tabTo(desk, dialogOf(desk).getByRole('textbox', { name: /^Quantity/ }));
  await typeText(desk, '2');
  await run(desk);
  await command(desk, 'checkout.submit');
  await choose(desk, 'Shipping address', 'Home');
  await choose(desk, 'Payment method', '4242');
  const order = /#W\d{7}/.exec(await run(desk))?.[0];
  expect(order).toBeDefined();
  const { customer, status } = await invoke<{ customer: { name: string }; status: string }>(desk, 'order.get', {
    orderId: order,
  });
  expect({ name: customer.name, status }).toEqual({ name: 'Ana Ruiz', status: 'pending' });
});

test('a refund', { tag: '@long' }, async ({ desk }) => {
  const orderId = await placeOrder(desk);
  await command(desk, 'order.cancel');
  await choose(desk, 'Order', orderId);
  await choose(desk, 'Reason', 'ordered by mistake');
  await run(desk);
  const { status, payments } = await invoke<{ status: string; payments: { kind: string }[] }>(desk, 'order.get', {
    orderId,
  });
  expect(status).toBe('cancelled');
  expect(payments.map(({ kind }) => kind)).toEqual(['payment', 'refund']);
});

test('F10 asks for the discount where it is typed, in the money of the shop', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'cart.setCustomer', { customerId: await idOfAna(desk) });
  const { products } = await invoke<{ products: { id: string }[] }>(desk, 'catalog.search', { query: 'Guji' });
  await invoke(desk, 'cart.addItem', { productId: products[0]?.id, quantity: 1 });
  await openPage(desk, 'Orders'); // the counter has a dialog of its own
  await desk.keyboard.press('F10');
  const percent = dialogOf(desk).getByRole('textbox', { name: /^Percent/ });
  await expect(percent).toBeFocused();
  await typeText(desk, '10');
  await expect(percent).toHaveValue('10');
  await expect(dialogOf(desk)).not.toContainText(/minor units|ISO 4217/);
  await desk.keyboard.press('Control+A');
  await desk.keyboard.press('Backspace');
  await desk.keyboard.press('Tab');
  await expect(dialogOf(desk).getByRole('textbox', { name: /^Amount/ })).toBeFocused();
  await typeText(desk, '2.50');
  await look(desk, 'discount');
  await desk.keyboard.press('Enter');
  await expect(dialogOf(desk).getByRole('status')).toHaveText('Done');
  expect(await invoke(desk, 'cart.getSummary', {})).toMatchObject({ discount: { amount: 250, currency: 'USD' } });
  await invoke(desk, 'cart.clear', {});
});

test('a refusal with choices has a button for each', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'cart.setCustomer', { customerId: await idOfAna(desk) });
  await command(desk, 'cart.addItem');
  await choose(desk, 'Product', 'Gift Card');
  await tabTo(desk, dialogOf(desk).getByRole('textbox', { name: /^Quantity/ }));
  await typeText(desk, '1');
  await tabTo(desk, dialogOf(desk).locator('button[type=submit]'));
  await desk.keyboard.press('Enter');
  const answers = dialogOf(desk).getByRole('group', { name: 'Suggested answers' });
  const fifty = answers.getByRole('button', { name: '$50', exact: true });
  await expect(fifty).toBeVisible();
  await look(desk, 'choices');
  await fifty.click();
  await expect(dialogOf(desk).getByRole('status')).toHaveText('Done');
  const { items } = await invoke<{ items: object[] }>(desk, 'cart.getSummary', {});
  expect(items).toMatchObject([{ label: '$50', quantity: 1 }]);
  await invoke(desk, 'cart.clear', {});
});

/** Types words and Enter as fast as the keyboard gives them. */
async function find(desk: Page, words: string): Promise<void> {
  await desk.keyboard.press('Control+K');
  await typeText(desk, words);
  await desk.keyboard.press('Enter');
}

test('a page, a record, a setting and an action are found by typed words, with errors in them', async ({ desk }) => {
  const heading = (name: string) => desk.getByRole('heading', { level: 1, name });
  await find(desk, 'custmoers');
  await expect(heading('Customers')).toBeVisible();
  await find(desk, 'whitfield');
  await expect(heading('Noah Whitfield')).toBeVisible();
  await find(desk, 'webhoks');
  await expect(desk.getByRole('tab', { name: 'Webhooks', selected: true })).toBeVisible();
  await find(desk, 'cancel an ordr');
  await expect(dialogOf(desk).getByRole('heading', { name: 'Cancel an order' })).toBeVisible();
  await desk.keyboard.press('Control+K');

  const found = dialogOf(desk).getByRole('listbox', { name: 'What was found' });
  const groups = () => found.getByRole('group').evaluateAll((all) => all.map((group) => group.ariaLabel));
  await expect(dialogOf(desk).getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await expectAccessible(desk, 'the palette without words');
  await look(desk, 'found-first');
  await typeText(desk, 'ana');
  await expect(found.getByRole('group', { name: 'Customer', exact: true })).toContainText('Ana Ruiz');
  await expectAccessible(desk, 'what was found');
  await look(desk, 'found');
  await desk.keyboard.press('Control+A');
  await typeText(desk, 'order');
  await expect.poll(groups).toContain('Pages');
  expect((await groups())[0]).toBe('Pages');
  await desk.keyboard.press('ArrowDown');
  await expect(found.getByRole('option', { selected: true })).not.toContainText('Alt 3');
  await desk.keyboard.press('ArrowUp');
  await expect(found.getByRole('option', { selected: true })).toHaveText('OrdersAlt 3');
  await desk.keyboard.press('Alt+6');
  await expect(heading('Reports'), 'its key, from the list').toBeVisible();
  await expect(dialogOf(desk)).toHaveCount(0);
});

test('each page has a key, and F2 leads to the search of products', { tag: '@long' }, async ({ desk }) => {
  for (const [index, name] of pageNames.entries()) {
    await desk.keyboard.press(`Alt+${index + 1}`);
    await expect(desk.getByRole('heading', { level: 1, name })).toBeAttached();
  }
  await openPage(desk, 'Orders');
  await desk.getByRole('searchbox').first().focus();
  await desk.keyboard.press('F2');
  await expect(desk.getByRole('combobox', { name: 'Search products' })).toBeFocused();
  await desk.keyboard.press('F1');
  for (const [index, name] of pageNames.entries()) {
    const line = dialogOf(desk)
      .locator('dl > div')
      .filter({ hasText: `Alt ${index + 1}` });
    await expect(line).toContainText(name);
  }
  await desk.keyboard.press('Alt+2');
  await expect(dialogOf(desk), 'behind a dialog keys are silent').toHaveCount(1);
});

test('a list shows its rows page by page under what it is asked for, and a row leads to its page', {
  tag: '@long',
}, async ({ desk }) => {
  await command(desk, 'search customers');
  await typeText(desk, 'a');
  await desk.keyboard.press('Enter');
  const rows = dialogOf(desk).getByRole('region', { name: 'Result' });
  await expect(rows.getByRole('listitem')).toHaveCount(50);
  await look(desk, 'palette-rows');
  await rows.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.getByRole('listitem').count()).toBeGreaterThan(50);
  const name = await rows.getByRole('button').first().textContent();
  await rows.getByRole('button').first().click();
  await expect(desk.getByRole('main').getByRole('heading', { name: name ?? '' })).toBeVisible();
});

test('what finds nothing says which words no record has, in the palette, in a list and at the counter', {
  tag: '@long',
}, async ({ desk }) => {
  const says = 'No record has the word “zanzibar”.';
  await desk.keyboard.press('Control+K');
  await typeText(desk, 'coffee zanzibar');
  await expect(desk.getByRole('dialog')).toContainText(says);
  await look(desk, 'found-nothing-palette');
  await desk.keyboard.press('Escape');
  const counter = desk.getByRole('region', { name: 'Products' });
  await counter.getByRole('combobox', { name: 'Search products' }).focus();
  await typeText(desk, 'coffee zanzibar');
  await expect(counter).toContainText(says);
  await look(desk, 'found-nothing-counter');
  await desk.keyboard.press('Control+a');
  await desk.keyboard.press('Delete');
  await openPage(desk, 'Catalog');
  await desk.getByRole('main').getByRole('searchbox').focus();
  await typeText(desk, 'zanzibar atlantis');
  await expect(desk.getByRole('main')).toContainText('No record has any of the words “zanzibar”, “atlantis”.');
  await look(desk, 'found-nothing-list');
  await desk.getByRole('button', { name: 'Show all products' }).click();
});
