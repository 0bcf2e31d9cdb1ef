import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { chooseCustomer, emptyCart, impossible, openPage, putGuji, real, seldom, tabTo, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'what can be done with an order is the real shop’s');

const action = (desk: Page, name: string) =>
  desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: new RegExp(`^${name}`) });
/** The paths that the system was asked to open. The file is there once it was asked for the first one. */
function opened(): string[] {
  const file = process.env.DESKHAND_OPENED ?? '';
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

const facts = (desk: Page, name: string) => desk.getByRole('region', { name, exact: true });

/** Submits an order of two bags for Ana and opens its page. */
async function placeOrder(desk: Page): Promise<string> {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  const quantity = desk.getByRole('textbox', { name: /^Quantity of Guji/ });
  await quantity.fill('2');
  await expect(desk.getByRole('button', { name: /Submit order · \$47\.83/ })).toBeVisible();
  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  const title = desk.getByRole('heading', { level: 1, name: /Order #W/ });
  await expect(title).toBeVisible();
  return (await title.textContent())?.match(/#W\d+/)?.[0] ?? '';
}

test('a product is added to an order by keyboard, with the new total before it is', async ({ desk }) => {
  await placeOrder(desk);
  await action(desk, 'Change items').focus();
  await desk.keyboard.press('Enter');
  const dialog = desk.getByRole('dialog');
  await tabTo(desk, dialog.getByRole('combobox', { name: 'Another product' }));
  await typeText(desk, 'mug');
  await expect(desk.getByRole('option', { name: /Mug/ }).first()).toBeVisible();
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: /^Pieces of .*Mug/ })).toBeFocused();
  await typeText(desk, '2');
  await expect(dialog.getByRole('status')).toContainText(/New total \$81\.59\. \$33\.76 more, charged to/);
  await look(desk, 'order-items-added');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(facts(desk, 'Lines')).toContainText(/Mug.*2/);
  await expect(facts(desk, 'Lines')).toContainText('$81.59');
});

test('an order is changed, sent, partly exchanged and returned', { tag: '@long' }, async ({ desk }) => {
  await placeOrder(desk);
  const dialog = desk.getByRole('dialog');
  const actions = desk.getByRole('group', { name: 'Actions' }).getByRole('button');
  await expect(actions).toHaveText(['Mark as packed', 'Change items', 'Change address', 'Cancel order', 'More']);
  const why = await impossible(desk);
  await expect(why.getByRole('listitem').filter({ hasText: /^Return/ })).toContainText('only a delivered order');
  await expect(why.getByRole('listitem').filter({ hasText: /^Receive the return/ })).toHaveCount(1);
  await look(desk, 'order-more');
  await desk.keyboard.press('Escape');

  await desk.getByRole('button', { name: 'Receipt' }).click();
  await desk.getByRole('menuitem', { name: 'Show' }).click();
  const sheet = dialog.getByRole('article', { name: 'The receipt as it is printed' });
  await expect(sheet).toContainText('Northlight Coffee');
  await expect(sheet.getByRole('row', { name: /^Total/ })).toContainText('$47.83');
  await expect(dialog.getByRole('button', { name: 'Print' }), 'however long the receipt is').toBeInViewport({
    ratio: 1,
  });
  await look(desk, 'order-receipt');
  await dialog.getByRole('button', { name: 'Print' }).click();
  const written = desk.getByRole('status').filter({ hasText: 'receipt is written' });
  await expect(written).toContainText('.pdf');
  const file = (await written.locator('code').textContent()) ?? '';
  await expect.poll(opened, 'the system opens it').toContain(file);
  await written.getByRole('button', { name: 'Show in folder' }).click();
  await expect.poll(opened, 'the system shows where it is').toContain(dirname(file));
  await desk.getByRole('button', { name: 'Dismiss' }).click();

  await action(desk, 'Change address').click();
  await dialog.getByRole('radio', { name: /^Work/ }).check();
  await look(desk, 'order-address');
  await dialog.getByRole('button', { name: 'Change the address' }).click();
  await expect(facts(desk, 'Delivery')).toContainText('Work');

  await seldom(desk, 'Change payment');
  await dialog.getByRole('radio', { name: /^PayPal/ }).check();
  await expect(dialog.getByRole('status')).toContainText(
    '$47.83 charged to PayPal, $47.83 refunded to Visa ending 4242.',
  );
  await look(desk, 'order-payment');
  await dialog.getByRole('button', { name: 'Change the payment' }).click();
  await expect(facts(desk, 'Payments recorded').getByRole('row', { name: /PayPal/ })).toContainText('$47.83');

  await action(desk, 'Change items').click();
  await dialog.getByRole('combobox', { name: /^Instead of Guji/ }).click();
  await desk.getByRole('option', { name: /250 g, Ground/ }).click();
  await expect(dialog.getByRole('status')).toContainText('It comes to the same');
  await look(desk, 'order-items');
  await dialog.getByRole('button', { name: 'Change the items' }).click();
  await expect(facts(desk, 'Lines')).toContainText('250 g, Ground');

  await seldom(desk, 'Add a note');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Rings twice.');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(facts(desk, 'Notes')).toContainText('Rings twice.');

  await action(desk, 'Mark as packed').click();
  await dialog.getByRole('button', { name: 'Mark as packed' }).click();
  await expect(action(desk, 'Change items')).toHaveCount(0);
  await action(desk, 'Record a parcel').click();
  await dialog.getByRole('textbox', { name: 'Tracking number' }).fill('1Z 999');
  await look(desk, 'order-parcel');
  await desk.keyboard.press('Enter');
  await expect(facts(desk, 'Delivery')).toContainText('1Z 999');
  await action(desk, 'Mark as delivered').click();
  await dialog.getByRole('button', { name: 'Mark as delivered' }).click();
  await expect(actions).toHaveText([/^Return/, /^Exchange/, 'Add a note', 'More']);

  await action(desk, 'Exchange').click();
  await dialog.getByRole('combobox', { name: /^Instead of Guji/ }).click();
  await desk.getByRole('option', { name: /250 g, Whole bean/ }).click();
  await dialog.getByRole('textbox', { name: /^Pieces of Guji/ }).fill('1');
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Not as described');
  await expect(dialog.getByRole('status')).toContainText('It comes to the same');
  await look(desk, 'order-exchange');
  await dialog.getByRole('button', { name: 'Note the exchange' }).click();
  await expect(facts(desk, 'Returns and exchanges')).toContainText('Under way');
  await action(desk, 'Receive the exchange').click();
  await expect(dialog.getByRole('status')).toContainText('It comes to the same');
  await dialog.getByRole('button', { name: 'Record the exchange' }).click();
  await expect(facts(desk, 'Lines')).toContainText('250 g, Whole bean');

  await action(desk, 'Return').click();
  await dialog.getByRole('textbox', { name: /^Pieces of .*Ground/ }).fill('1');
  await dialog.getByRole('combobox', { name: 'Reason' }).selectOption('Faulty');
  await dialog.getByRole('checkbox', { name: 'The goods are here' }).uncheck();
  await expect(dialog.getByRole('status')).toContainText('due when it is here');
  await look(desk, 'order-return');
  await dialog.getByRole('button', { name: 'Note the return' }).click();
  await action(desk, 'Receive the return').click();
  await expect(dialog.getByRole('status')).toContainText('refunded to PayPal');
  await look(desk, 'order-received');
  await dialog.getByRole('checkbox').check();
  await dialog.getByRole('button', { name: 'Record the refund' }).click();
  await expect(facts(desk, 'Lines')).toContainText('Came back');
  await expect(facts(desk, 'Returns and exchanges')).toContainText('Reason: Faulty');
  await expect(facts(desk, 'Lines').getByRole('row', { name: /^Refunded/ })).toContainText('$21.44');
  await expect(facts(desk, 'Lines').getByRole('row', { name: /^Net/ })).toContainText('$26.39');
  await look(desk, 'order-returned');
});

test('goods that are here are taken back in four keys', async ({ desk }) => {
  const orderId = await placeOrder(desk);
  for (const step of ['order.process', 'order.deliver']) await invoke(desk, step, { orderId });
  await action(desk, 'Return').click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: /^Pieces of Guji/ })).toBeFocused();
  await desk.keyboard.press('1');
  await desk.keyboard.press('Tab');
  await desk.keyboard.press('c');
  await expect(dialog.getByRole('checkbox', { name: /back into stock/ })).toBeChecked();
  await expect(dialog.getByRole('status')).toContainText('refunded to Visa ending 4242');
  await look(desk, 'order-taken-back');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(facts(desk, 'Lines')).toContainText('Came back');
  await expect(facts(desk, 'Payments recorded').getByRole('row', { name: /Refund/ })).toContainText('$21.44');
  await expect(facts(desk, 'Returns and exchanges')).toContainText('Reason: Changed their mind');
  await expect(action(desk, 'Return'), 'the other bag may come back too').toBeFocused();
});

test('what the shop refuses is told before anything is done', { tag: '@long' }, async ({ desk }) => {
  await placeOrder(desk);
  await seldom(desk, 'Change payment');
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('radio', { name: /4242/ }).check();
  await expect(dialog.getByRole('alert')).toContainText(/already|different/);
  await expect(dialog.getByRole('button', { name: /^Change the payment/ })).toHaveAttribute('aria-disabled', 'true');
  await look(desk, 'order-refused');
  await desk.keyboard.press('Escape');
  await expect(action(desk, 'More'), 'the focus comes back').toBeFocused();
  await openPage(desk, 'Orders');
});

test('an order is ordered again: its items are in the cart', { tag: '@long' }, async ({ desk }) => {
  await placeOrder(desk);
  await seldom(desk, 'Order again');
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Put into the cart' }).click();
  await expect(dialog).toHaveCount(0);
  await openPage(desk, 'Counter');
  await expect(desk.getByRole('textbox', { name: /^Quantity of Guji/ })).toHaveValue('2');
  await emptyCart(desk);
});
