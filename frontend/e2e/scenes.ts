import { expect, type Page } from '@playwright/test';
import { idOfAna, invoke } from './bridge';
import { typeText } from './desk';
import type { Line } from './endpoint';

/* What flows and the pictures of the documentation do alike. */

/** A reply of a model that cancels an order. */
export const cancel = (orderId: string): Line => ({
  text: ['I will cancel it.'],
  calls: [{ name: 'order_cancel', args: { orderId, reason: 'no longer needed' } }],
});

/** Places an order for Ana that costs more than the others. */
export async function placeDearOrder(desk: Page): Promise<string> {
  const customerId = await idOfAna(desk);
  const { products } = await invoke<{ products: { id: string }[] }>(desk, 'catalog.search', { query: 'Guji' });
  await invoke(desk, 'cart.setCustomer', { customerId });
  await invoke(desk, 'cart.addItem', { productId: products[0]?.id, quantity: 3, customerId });
  return (await invoke<{ orderId: string }>(desk, 'checkout.submit', { fulfilment: 'deliver' })).orderId;
}

/** Packs the order that is open, and writes a note to it. `seen` is called before each of the three presses. */
export async function packAndNote(
  desk: Page,
  seen: (what: 'pack' | 'sure' | 'note') => Promise<void> = async () => undefined,
): Promise<void> {
  const dialog = desk.getByRole('dialog');
  await seen('pack');
  await desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Mark as packed' }).click();
  await expect(dialog.getByRole('button', { name: 'Mark as packed' })).toBeVisible();
  await seen('sure');
  await dialog.getByRole('button', { name: 'Mark as packed' }).click();
  await expect(dialog).toHaveCount(0);
  await desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Add a note' }).click();
  await dialog.getByRole('textbox', { name: 'Note' }).click();
  await typeText(desk, 'Packed for Friday.');
  await seen('note');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog).toHaveCount(0);
}
