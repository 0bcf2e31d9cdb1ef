import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { real, tabTo, test, typeText } from './desk';

/*
 * These flows use keys alone, no pointer.
 * Capabilities, called without the page, prepare the state they begin with.
 */
test.skip(!real, 'receipts and returns are the real shop’s');

const cartOf = (desk: Page) => desk.getByRole('region', { name: 'Cart' });
const searchOf = (desk: Page) => desk.getByRole('combobox', { name: 'Search products' });

/** Opens an empty cart of a customer at this desk. */
async function emptyCartOf(desk: Page, name: string): Promise<void> {
  const { customers } = await invoke<{ customers: { id: string }[] }>(desk, 'customer.search', { query: name });
  await invoke(desk, 'cart.setCustomer', { customerId: customers[0]?.id });
  const { items } = await invoke<{ items: unknown[] }>(desk, 'cart.getSummary', {});
  if (items.length > 0) await invoke(desk, 'cart.clear', {});
  await expect(cartOf(desk)).toContainText(name);
  await expect(cartOf(desk)).toContainText('The cart is empty');
}

/** Chooses a customer, then puts a bag of the Guji into the cart. */
async function takeOrder(desk: Page, name: string): Promise<void> {
  await desk.keyboard.press('F3');
  await expect(desk.getByRole('combobox', { name: 'Search customers' })).toBeFocused();
  await typeText(desk, name);
  await expect(desk.getByRole('listbox', { name: 'Customers found' }).getByRole('option')).toHaveCount(1);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(cartOf(desk)).toContainText(name);
  await expect(searchOf(desk), 'a product comes next').toBeFocused();
  await typeText(desk, 'guji');
  await expect(desk.getByRole('grid').getByRole('row').first()).toContainText('Guji'); // the list has come as far
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
}

/** Tabs to an action of the order, presses it and waits for its dialog. */
async function act(desk: Page, name: string): Promise<void> {
  const button = desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name, exact: true });
  await expect(button).not.toHaveAttribute('aria-disabled', 'true');
  await tabTo(desk, button);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toBeVisible();
}

/** Tabs to the submit button of a dialog and presses it. */
async function confirm(desk: Page, name: string): Promise<void> {
  await tabTo(desk, desk.getByRole('dialog').getByRole('button', { name }));
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
}

test('an order from the search to the receipt, then its return', async ({ desk }) => {
  await emptyCartOf(desk, 'Ana Ruiz');
  await takeOrder(desk, 'Ana Ruiz');

  const { products } = await invoke<{ products: { variants: { sku: string }[] }[] }>(desk, 'catalog.search', {
    query: 'Guji',
  });
  await expect(searchOf(desk), 'the next thing is typed or scanned').toBeFocused();
  await typeText(desk, products[0]?.variants[0]?.sku ?? '');
  await desk.keyboard.press('Enter');
  await expect(cartOf(desk).getByRole('textbox', { name: /^Quantity of Guji/ })).toHaveValue('2');
  await expect(searchOf(desk)).toBeFocused();

  await desk.keyboard.press('F4');
  await expect(cartOf(desk).getByRole('radio', { name: /Home/ })).toBeFocused();
  await desk.keyboard.press('ArrowDown');
  await expect(cartOf(desk).getByRole('radio', { name: /Work/ })).toBeChecked();
  await desk.screenshot({ path: 'test-results/keys-cart.png' });
  await desk.keyboard.press('F9');
  await expect(desk.getByRole('button', { name: 'Open order' })).toBeVisible();
  await expect(searchOf(desk), 'the next sale begins').toBeFocused();
  await expect(searchOf(desk)).toHaveValue('');
  await desk.keyboard.press('Shift+F9');
  await expect(cartOf(desk).getByText('The receipt is written to')).toContainText('.pdf');
  await desk.screenshot({ path: 'test-results/keys-receipt.png' });
  await desk.keyboard.press('Tab');
  await expect(desk.getByRole('button', { name: 'Open order' })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name: /^Order #W/ })).toBeVisible();

  for (const step of ['Mark as packed', 'Mark as delivered']) {
    await act(desk, step);
    await confirm(desk, step);
  }
  await act(desk, 'Return');
  await expect(desk.getByRole('textbox', { name: /^Pieces of Guji/ })).toBeFocused();
  await typeText(desk, '1');
  await desk.keyboard.press('Tab');
  await typeText(desk, 'f');
  await expect(desk.getByRole('dialog').getByRole('status')).toContainText('refunded to');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(desk.getByRole('region', { name: 'Payments recorded' })).toContainText('Refund');
});

test('several carts wait, and each is gone on with', { tag: '@long' }, async ({ desk }) => {
  const waiting = ['Ana Ruiz', 'Noah Whitfield'];
  for (const name of waiting) {
    await emptyCartOf(desk, name);
    await takeOrder(desk, name);
    await desk.keyboard.press('F6');
    await expect(desk.getByRole('dialog').getByRole('textbox', { name: 'Label' })).toBeFocused();
    await desk.keyboard.press('Enter');
    await expect(cartOf(desk)).toContainText('The cart is empty');
    await expect(searchOf(desk), `${name} waits`).toBeFocused();
  }

  await desk.keyboard.press('F7');
  const held = desk.getByRole('listbox', { name: 'Held carts' });
  await expect(held).toBeFocused();
  for (const name of waiting)
    await expect(held.getByRole('option', { name: new RegExp(name) })).toContainText('1 item');
  await desk.screenshot({ path: 'test-results/held.png' });
  const names = await held.getByRole('option').allTextContents();
  const last = names.findLastIndex((text) => text.includes('Noah Whitfield'));
  for (let at = 0; at < last; at += 1) await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(cartOf(desk)).toContainText('Noah Whitfield');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(searchOf(desk)).toBeFocused();

  const button = desk.getByRole('button', { name: /^Held carts/ });
  await expect(button).not.toHaveAttribute('aria-disabled');
  await invoke(desk, 'cart.clear', {});
  const { carts } = await invoke<{ carts: { id: string }[] }>(desk, 'cart.listHeld', {});
  for (const { id } of carts) {
    await invoke(desk, 'cart.resume', { heldId: id });
    await invoke(desk, 'cart.clear', {});
  }
  await expect(button).toHaveAccessibleDescription(/No cart is on hold/);
});
