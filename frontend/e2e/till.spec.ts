import { expect, type Page } from '@playwright/test';
import { invoke, test } from './bridge';
import { chooseCustomer, openPage, scan, typeText } from './desk';
import { look } from './look';

const cartOf = (page: Page) => page.getByRole('region', { name: 'Cart' });
const sellButton = (page: Page) => cartOf(page).getByRole('button', { name: /^(Sell|Submit order) · / });
const pays = (page: Page, name: string) =>
  cartOf(page).getByRole('group', { name: 'Paid by' }).getByRole('button', { name, exact: true });
const lastSale = (page: Page) =>
  cartOf(page)
    .getByRole('status')
    .filter({ has: page.getByRole('button', { name: 'Open order' }) });

interface Order {
  status: string;
  fulfilment: string;
  customer?: { name: string };
  shipping: { amount: number };
  payments: { paymentMethodId: string; amount: { amount: number }; change?: { amount: number } }[];
}

/** The order of the last sale, as the application has it. */
async function soldOrder(page: Page): Promise<Order> {
  const orderId = (await lastSale(page).textContent())?.match(/#W\d{7}/)?.[0];
  return invoke<Order>(page, 'order.get', { orderId });
}

/** The barcode of a bag that costs $21.44. */
async function guji(page: Page): Promise<string> {
  type Found = { products: { variants: { barcode: string }[] }[] };
  const { products } = await invoke<Found>(page, 'catalog.search', { query: 'NL-GUJ-250-WB' });
  return products[0]?.variants[0]?.barcode ?? '';
}

test.beforeEach(async ({ desk }) => {
  await invoke(desk, 'cart.setCustomer', { walkIn: true });
  const { items } = await invoke<{ items: unknown[] }>(desk, 'cart.getSummary', {});
  if (items.length > 0) await invoke(desk, 'cart.clear', {});
  await invoke(desk, 'cart.setShipping', { fulfilment: 'takeAway' });
  await expect(cartOf(desk)).toContainText('The cart is empty');
  await expect(cartOf(desk)).toContainText('Walk-in');
});

test('a cash sale of one bag is a scan, Cash and Enter', async ({ desk }) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toHaveText(/Sell · \$21\.44/);
  await look(desk, 'till-walk-in');
  await pays(desk, 'Cash').click();
  await expect(cartOf(desk).getByRole('textbox', { name: 'Handed over' })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(lastSale(desk)).toContainText('$21.44 recorded, taken along');
  const order = await soldOrder(desk);
  expect(order).toMatchObject({ status: 'delivered', fulfilment: 'takeAway', shipping: { amount: 0 } });
  expect(order.customer).toBeUndefined();
  expect(order.payments).toMatchObject([{ paymentMethodId: 'cash', amount: { amount: 2144 } }]);
});

test('cash tells the change, and stays to be read until the next scan', async ({ desk }) => {
  const code = await guji(desk);
  await scan(desk, code);
  await expect(sellButton(desk)).toBeVisible();
  await desk.keyboard.press('F4');
  await typeText(desk, '20');
  await expect(cartOf(desk)).toContainText('$1.44 more is due.');
  await desk.keyboard.press('F9');
  await expect(lastSale(desk), 'too little is not sold').toHaveCount(0);
  await desk.keyboard.press('Control+A');
  await typeText(desk, '30');
  await expect(cartOf(desk).getByRole('status', { name: 'Change due' })).toHaveText('$8.56');
  await look(desk, 'till-cash');
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('Change $8.56');
  await look(desk, 'till-sold');
  expect((await soldOrder(desk)).payments).toMatchObject([{ change: { amount: 856 } }]);
  await scan(desk, code);
  await expect(sellButton(desk)).toBeVisible();
  await expect(lastSale(desk)).toHaveCount(0);
  await expect(cartOf(desk).getByRole('textbox', { name: 'Handed over' }), 'of the next sale').toHaveValue('');
});

test('a card and anything else are recorded without a stored method', { tag: '@long' }, async ({ desk }) => {
  for (const [name, id] of [
    ['Card', 'card'],
    ['Other', 'other'],
  ] as const) {
    await scan(desk, await guji(desk));
    await pays(desk, name).click();
    await expect(sellButton(desk)).toBeFocused();
    await desk.keyboard.press('Enter');
    await expect(lastSale(desk)).toBeVisible();
    expect((await soldOrder(desk)).payments).toMatchObject([{ paymentMethodId: id }]);
  }
});

test('who is known takes the goods along too; Deliver unfolds address and shipping', { tag: '@long' }, async ({
  desk,
}) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toBeVisible();
  const cart = cartOf(desk);
  await cart.getByText('Deliver', { exact: true }).click();
  await expect(cart).toContainText('The cart has no customer to deliver to.');
  await cart.getByText('Take along', { exact: true }).click();
  await chooseCustomer(desk, 'Ana Ruiz');
  await expect(sellButton(desk), 'the price is as it was').toHaveText(/Sell · \$21\.44/);
  await cart.getByText('Deliver', { exact: true }).click();
  await expect(cart.getByRole('radio', { name: /Home/ })).toBeChecked();
  await expect(sellButton(desk)).toHaveText(/Submit order · \$26\.39/);
  await cart.getByRole('radio', { name: /^Express/ }).check();
  await expect(sellButton(desk)).not.toHaveText(/\$26\.39/);
  await look(desk, 'till-deliver');
  await cart.getByText('Pick up', { exact: true }).click();
  await expect(sellButton(desk)).toHaveText(/Submit order · \$21\.44/);
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('to be picked up');
  expect(await soldOrder(desk)).toMatchObject({
    status: 'pending',
    fulfilment: 'pickUp',
    customer: { name: 'Ana Ruiz' },
  });
});

test('a customer is taken off the cart again, with what is in it', { tag: '@long' }, async ({ desk }) => {
  await scan(desk, await guji(desk));
  await chooseCustomer(desk, 'Noah Whitfield');
  await cartOf(desk).getByRole('button', { name: 'Make it a walk-in’s' }).click();
  await expect(cartOf(desk)).toContainText('Walk-in');
  await expect(sellButton(desk)).toHaveText(/Sell · \$21\.44/);
});

test('a code of nothing becomes a product, and is in the cart', async ({ desk }) => {
  const code = `49${Date.now()}`;
  await scan(desk, code);
  await desk.getByRole('button', { name: `New product with the barcode ${code}…` }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Barcode' })).toHaveValue(code);
  await look(desk, 'till-new-product');
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Paper filters');
  await dialog.getByRole('textbox', { name: /Price/ }).fill('4.50');
  await dialog.getByRole('button', { name: 'Add the product' }).click();
  await expect(cartOf(desk)).toContainText('Paper filters');
  await expect(sellButton(desk)).toHaveText(/Sell · \$4\.\d\d/);
});

test('a new customer is added where one is chosen, and has the cart', { tag: '@long' }, async ({ desk }) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toBeVisible();
  await cartOf(desk).getByText('Deliver', { exact: true }).click();
  await desk.keyboard.press('F3');
  const name = `Kim ${Date.now()}`;
  await desk.getByRole('combobox', { name: 'Search customers' }).fill(name);
  await desk.getByRole('button', { name: `New customer “${name}”…` }).click();
  const dialog = desk.getByRole('dialog', { name: 'Add a customer' });
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue(name);
  for (const [field, text] of [
    ['Street', '1 Pier Road'],
    ['City', 'Bath'],
    ['Postal code', '04530'],
  ] as const)
    await dialog.getByRole('textbox', { name: field, exact: true }).fill(text);
  await expect(dialog.getByRole('combobox', { name: 'Country' })).toHaveValue('United States (US)');
  await look(desk, 'till-new-customer');
  await dialog.getByRole('button', { name: 'Add the customer' }).click();
  await expect(cartOf(desk)).toContainText(name);
  await expect(cartOf(desk).getByRole('radio', { name: /1 Pier Road/ })).toBeChecked();
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('estimated delivery');
});

test('a cleared cart comes back', { tag: '@long' }, async ({ desk }) => {
  await scan(desk, await guji(desk));
  await cartOf(desk).getByRole('button', { name: 'Clear', exact: true }).click();
  await desk.getByRole('button', { name: 'Undo: Clear' }).click();
  await expect(sellButton(desk)).toHaveText(/Sell · \$21\.44/);
});

test('an order of a walk-in is listed, opened and says how it was got', { tag: '@long' }, async ({ desk }) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toBeVisible();
  await desk.keyboard.press('F9');
  await lastSale(desk).getByRole('button', { name: 'Open order' }).click();
  const order = desk.getByRole('region', { name: 'Order' });
  await expect(order).toContainText('Walk-in');
  await expect(order).toContainText('Taken along');
  await look(desk, 'till-order');
  await openPage(desk, 'Orders');
  await expect(desk.getByRole('row', { name: /Walk-in/ }).first()).toBeVisible();
});

test('with six lines at 1024 × 700 each way to pay is in view, for all and for a part', async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  type Found = { products: { id: string; variants: { id: string; available: boolean }[] }[] };
  const { products } = await invoke<Found>(desk, 'catalog.search', { inStock: true, limit: 6 });
  for (const { id, variants } of products) {
    const variantId = variants.find(({ available }) => available)?.id;
    await invoke(desk, 'cart.addItem', { productId: id, variantId, quantity: 1 });
  }
  await expect(cartOf(desk).getByRole('listitem')).toHaveCount(6);
  const inView = async (...groups: string[]) => {
    for (const name of groups)
      for (const one of await cartOf(desk).getByRole('group', { name }).getByRole('button').all())
        await expect(one).toBeInViewport({ ratio: 1 });
    await expect(cartOf(desk).getByRole('button', { name: 'Only a part F11' })).toBeInViewport({ ratio: 1 });
    await expect(sellButton(desk)).toBeInViewport({ ratio: 1 });
  };
  await inView('Paid by');
  await desk.keyboard.press('F11');
  await inView('Paid by', 'The rest by');
  await expect(cartOf(desk).getByRole('textbox', { name: 'Handed over' })).toBeInViewport({ ratio: 1 });
  await desk.keyboard.press('F11');
  await chooseCustomer(desk, 'Ana Ruiz');
  await cartOf(desk).getByText('Deliver', { exact: true }).click();
  await expect(cartOf(desk).getByRole('radio', { name: /Home/ })).toBeChecked();
  await inView('Paid by');
});

test('cash pays a part and the card the rest: F11, the amount and F9', async ({ desk }) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toHaveText(/Sell · \$21\.44/);
  await desk.keyboard.press('F11');
  await expect(cartOf(desk).getByRole('textbox', { name: 'Cash pays' })).toBeFocused();
  await typeText(desk, '20');
  const rest = cartOf(desk).getByRole('group', { name: 'The rest by' });
  await expect(rest.getByRole('button', { name: 'Card' })).toHaveAttribute('aria-pressed', 'true');
  await look(desk, 'till-part');
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('$21.44 recorded, taken along · Receipt ');
  expect((await soldOrder(desk)).payments).toMatchObject([
    { paymentMethodId: 'cash', amount: { amount: 2000 } },
    { paymentMethodId: 'card', amount: { amount: 144 } },
  ]);
});

test('an open item is Shift F2, a title, a price and Enter; Shift F5 sells a line at another price', async ({
  desk,
}) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toBeVisible();
  await desk.keyboard.press('Shift+F5');
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: /^Price/ })).toBeFocused();
  await typeText(desk, '20');
  await look(desk, 'till-price');
  await desk.keyboard.press('Enter');
  await expect(cartOf(desk).getByRole('listitem')).toContainText('instead of $21.44');
  await desk.keyboard.press('Shift+F2');
  await expect(dialog.getByRole('textbox', { name: /^Title/ })).toBeFocused();
  await typeText(desk, 'Gift wrap');
  await desk.keyboard.press('Tab');
  await typeText(desk, '3.50');
  await look(desk, 'till-open-item');
  await desk.keyboard.press('Enter');
  await expect(cartOf(desk).getByRole('listitem').last()).toContainText('Gift wrap');
  await expect(sellButton(desk)).toHaveText(/Sell · \$23\.5/);
  await look(desk, 'till-open-line');
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('recorded, taken along');
  await lastSale(desk).getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('region', { name: 'Lines' })).toContainText('Gift wrap');
});

test('a discount is F10, a number and Enter; a line has one of its own, and notes', { tag: '@long' }, async ({
  desk,
}) => {
  await scan(desk, await guji(desk));
  await expect(sellButton(desk)).toBeVisible();
  const cart = cartOf(desk);
  await desk.keyboard.press('F10');
  await expect(desk.getByRole('dialog').getByRole('textbox', { name: 'Percent' })).toBeFocused();
  await typeText(desk, '10');
  await look(desk, 'till-discount');
  await desk.keyboard.press('Enter');
  await expect(sellButton(desk)).toHaveText(/Sell · \$19\.30/);
  await cart.getByRole('button', { name: 'Discount' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Take the discount off' }).click();
  await expect(sellButton(desk)).toHaveText(/Sell · \$21\.44/);

  await cart.getByRole('button', { name: /^More of Guji/ }).click();
  await desk.getByRole('menuitem', { name: 'Discount…' }).click();
  await desk.getByRole('dialog').getByText('USD', { exact: true }).first().click();
  await desk.getByRole('textbox', { name: 'Amount' }).focus();
  await typeText(desk, '1.44');
  await desk.getByRole('textbox', { name: 'Reason' }).focus();
  await typeText(desk, 'Dented');
  await desk.keyboard.press('Enter');
  await expect(cart.getByRole('listitem')).toContainText('$1.44 off · Dented');
  await cart.getByRole('button', { name: /^More of Guji/ }).click();
  await desk.getByRole('menuitem', { name: 'Note…' }).click();
  await desk.getByRole('textbox', { name: 'Note' }).focus();
  await typeText(desk, 'Grind it coarse');
  await desk.getByRole('button', { name: 'Keep the note' }).click();
  await expect(cart.getByRole('listitem')).toContainText('“Grind it coarse”');
  await cart.getByRole('button', { name: 'Note', exact: true }).click();
  await desk.getByRole('textbox', { name: 'Note' }).focus();
  await typeText(desk, 'Comes back at four');
  await desk.getByRole('button', { name: 'Keep the note' }).click();
  await expect(cart).toContainText('“Comes back at four”');
  await look(desk, 'till-notes');
  await desk.keyboard.press('F9');
  await expect(lastSale(desk)).toContainText('$20.00 recorded');
  await lastSale(desk).getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('region', { name: 'Lines' })).toContainText('$1.44 off · Dented · “Grind it coarse”');
  await expect(desk.getByRole('region', { name: 'Order' })).toContainText('Comes back at four');
});
