import { expect, type Page } from '@playwright/test';
import { expectAccessible, inTheme } from './axe';
import { card, invoke, log, say, sizes, test } from './bridge';
import type { Line } from './endpoint';

/** An open order of Ana's, new each time. */
async function placeOrder(page: Page): Promise<string> {
  const { customers } = await invoke<{ customers: { id: string }[] }>(page, 'customer.search', { query: 'Ana Ruiz' });
  const customerId = customers[0]?.id;
  await invoke(page, 'cart.setCustomer', { customerId });
  const { items } = await invoke<{ items: unknown[] }>(page, 'cart.getSummary', {});
  if (items.length > 0) await invoke(page, 'cart.clear', {});
  const { products } = await invoke<{ products: { id: string }[] }>(page, 'catalog.search', { query: 'Guji' });
  await invoke(page, 'cart.addItem', { productId: products[0]?.id, quantity: 1, customerId });
  const cart = await invoke<{ savedAddresses: { id: string }[]; savedPaymentMethods: { id: string }[] }>(
    page,
    'cart.getSummary',
    {},
  );
  const order = { shippingAddressId: cart.savedAddresses[0]?.id, paymentMethodId: cart.savedPaymentMethods[0]?.id };
  return (await invoke<{ orderId: string }>(page, 'checkout.submit', order)).orderId;
}

const cancel = (orderId: string): Line => ({
  text: ['I will cancel it.'],
  calls: [{ name: 'order_cancel', args: { orderId, reason: 'no longer needed' } }],
});

/** Looks at the card in both schemes and both sizes. */
async function look(page: Page, name: string): Promise<void> {
  for (const theme of ['dark', 'light'] as const) {
    await inTheme(page, theme);
    for (const size of sizes) {
      await page.setViewportSize(size);
      await page.screenshot({ path: `test-results/${name}-${theme}-${size.width}.png` });
    }
    await expectAccessible(page, `${name}, ${theme}`);
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

test.slow(); // every look is four pictures and two checks

test('deny with a reason, and the model is told it', async ({ desk, model }) => {
  const order = await placeOrder(desk);
  model.script(cancel(order), { text: ['As you wish.'] });
  await say(desk, `Cancel ${order}`);
  await expect(card(desk).getByRole('button', { name: 'Deny' })).toBeVisible();
  await card(desk).getByRole('textbox', { name: 'Reason for denying' }).fill('she called again');
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('As you wish.');
  expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('she called again');
  expect(await invoke(desk, 'order.get', { orderId: order })).toMatchObject({ status: 'pending' });
});

test('change the values, and those are used', async ({ desk, model }) => {
  const order = await placeOrder(desk);
  model.script(cancel(order), { text: ['Cancelled.'] });
  await say(desk, `Cancel ${order}`);
  await card(desk).getByRole('button', { name: 'Change the values…' }).click();
  const form = card(desk).getByRole('form', { name: /Change the values/ });
  await form.getByRole('combobox', { name: /^Reason/ }).click();
  await desk.getByRole('option', { name: 'out of stock' }).click();
  await look(desk, 'card-edit');
  await form.getByRole('button', { name: 'See what these come to' }).click();
  await expect(card(desk).getByRole('form')).toHaveCount(0);
  await expect(card(desk)).toContainText('out of stockyou said it');
  await card(desk).getByRole('button', { name: 'Allow once' }).click();
  await expect(log(desk)).toContainText('Cancelled.');
  await expect(log(desk).getByRole('article', { name: /^Cancel an order: done/ })).toContainText('out of stock');
  expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('out of stock');
});

test('Escape in the form goes back, Escape on the card denies', async ({ desk, model }) => {
  const order = await placeOrder(desk);
  model.script(cancel(order), { text: ['Left as it is.'] });
  await say(desk, `Cancel ${order}`);
  await card(desk).getByRole('button', { name: 'Change the values…' }).click();
  await expect(card(desk).getByRole('form')).toBeVisible();
  await desk.keyboard.press('Escape');
  await expect(card(desk).getByRole('button', { name: 'Deny' })).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(log(desk)).toContainText('Left as it is.');
});

test('allow and do not ask again, within bounds that were narrowed', async ({ desk, model }) => {
  const [first, second, third] = [await placeOrder(desk), await placeOrder(desk), await placeOrder(desk)];
  model.script(cancel(first), { text: ['First done.'] });
  await say(desk, `Cancel ${first}`);
  await card(desk)
    .getByRole('button', { name: /don’t ask again/ })
    .click();
  const form = card(desk).getByRole('form');
  await expect(form.getByRole('checkbox', { name: 'Only for customer Ana Ruiz' })).toBeChecked();
  await form.getByRole('textbox', { name: 'How often at most' }).fill('1');
  await look(desk, 'card-grant');
  await form.getByRole('button', { name: 'Allow within these bounds' }).click();
  await expect(log(desk)).toContainText('First done.');

  model.script(cancel(second), { text: ['Second done.'] });
  await say(desk, `Cancel ${second}`);
  await expect(log(desk)).toContainText('Second done.');
  model.script(cancel(third), { text: ['Third left.'] });
  await say(desk, `Cancel ${third}`);
  await expect(card(desk)).toContainText('Why you are asked');
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('Third left.');
  expect(await invoke(desk, 'order.get', { orderId: second })).toMatchObject({ status: 'cancelled' });
  expect(await invoke(desk, 'order.get', { orderId: third })).toMatchObject({ status: 'pending' });
});
