import { expect, type Page } from '@playwright/test';
import { invoke, ownCard, placeOrder } from './bridge';
import { openPage, real, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'orders are the real shop’s');

const card = (desk: Page) => ownCard(desk).article;

async function openTrace(desk: Page, words: string) {
  await openPage(desk, 'Audit');
  await desk.getByRole('grid', { name: 'Records' }).getByRole('row').filter({ hasText: words }).first().click();
}

test('what a trace did is saved as a routine, run from the palette with another order, and removed', {
  tag: '@long',
}, async ({ desk }) => {
  const [one, other] = [await placeOrder(desk), await placeOrder(desk)];
  await invoke(desk, 'order.addNote', { orderId: one, text: 'Gift wrap it' });

  await openTrace(desk, 'Gift wrap it');
  await desk.getByRole('button', { name: 'Save as routine…' }).click();
  const saving = desk.getByRole('dialog', { name: 'Save as routine' });
  await expect(saving.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(saving.getByRole('list', { name: 'What it does' })).toHaveText('Add a note to an order');
  await expect(saving.getByRole('checkbox', { name: `Order: ${one}` })).toBeChecked();
  await desk.keyboard.press('Enter');
  await expect(saving.getByRole('textbox', { name: 'Name' })).toHaveAttribute('aria-invalid', 'true');
  await typeText(desk, 'Gift wrapping');
  await look(desk, 'routine-save');
  await desk.keyboard.press('Enter');
  await expect(saving).toHaveCount(0);

  await desk.keyboard.press('Control+k');
  await typeText(desk, 'gift');
  await expect(desk.getByRole('option', { name: /Gift wrapping/ })).toBeVisible();
  await look(desk, 'palette-routine');
  await desk.keyboard.press('Enter');
  const form = desk.getByRole('dialog', { name: 'Gift wrapping' });
  const field = form.getByRole('combobox', { name: /Order/ });
  await field.click();
  await typeText(desk, other);
  await desk.getByRole('option').filter({ hasText: other }).first().click();
  await look(desk, 'routine-form');
  await form.getByRole('button', { name: 'Run the routine' }).click();
  await expect(card(desk).getByRole('heading', { level: 2 })).toContainText('Run the routine Gift wrapping');
  await look(desk, 'card-routine');
  await ownCard(desk).go.click();
  await expect(form).toHaveCount(0);
  const { notes } = await invoke<{ notes: { text: string }[] }>(desk, 'order.get', { orderId: other });
  expect(notes.map(({ text }) => text)).toEqual(['Gift wrap it']);

  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Routines' }).click();
  const row = desk.getByRole('list', { name: 'Saved routines' }).getByRole('listitem');
  await expect(row).toContainText('Gift wrapping');
  await look(desk, 'settings-routines');
  await row.getByRole('button', { name: 'Remove' }).click();
  await expect(desk.getByText('No routine is saved')).toBeVisible();
});

test('a routine that asks for nothing runs at once, after its card', { tag: '@long' }, async ({ desk }) => {
  const order = await placeOrder(desk);
  await invoke(desk, 'order.addNote', { orderId: order, text: 'Ring twice' });
  await openTrace(desk, 'Ring twice');
  await desk.getByRole('button', { name: 'Save as routine…' }).click();
  await typeText(desk, 'Note it');
  const time = desk.getByRole('textbox', { name: 'Runs by itself every day at' });
  await expect(time).toBeDisabled();
  await desk.getByRole('checkbox', { name: `Order: ${order}` }).click();
  await time.click();
  await typeText(desk, '25:00');
  await desk.keyboard.press('Enter');
  await expect(time).toHaveAttribute('aria-invalid', 'true');
  await time.press('Control+a');
  await typeText(desk, '23:59');
  await look(desk, 'routine-save-time');
  await desk.getByRole('dialog').getByRole('button', { name: 'Save the routine' }).click();
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Routines' }).click();
  await expect(desk.getByText('Runs by itself every day at 23:59.')).toBeVisible();
  await desk.getByRole('button', { name: 'Run', exact: true }).click();
  await card(desk).getByRole('button', { name: 'Leave it' }).click();
  await expect(card(desk)).toHaveCount(0);
  await desk.keyboard.press('Control+k');
  await typeText(desk, 'note it');
  await desk.keyboard.press('Enter');
  await ownCard(desk).go.click();
  await expect(card(desk)).toHaveCount(0);
  // The card goes with its answer; the routine runs after that.
  const notes = async () => (await invoke<{ notes: unknown[] }>(desk, 'order.get', { orderId: order })).notes.length;
  await expect.poll(notes).toBe(2);
});
