import { expect } from '@playwright/test';
import { invoke, log, placeOrder, test } from './bridge';
import { typeText } from './desk';
import { look } from './look';

test('the assistant opens a form filled in, and the person changes and submits it', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const orderId = await placeOrder(desk);
  model.script(
    { calls: [{ name: 'form_fill', args: { capability: 'order_cancel', arguments: { orderId, reason: 'other' } } }] },
    { text: ['Look at it.'] },
  );
  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).click();
  await typeText(desk, `prepare the cancellation of ${orderId}`);
  await desk.keyboard.press('Enter');
  const form = desk.getByRole('dialog').getByRole('region', { name: 'Filled in by the assistant' });
  await expect(form).toBeVisible();
  await expect(form).toContainText('you said it');
  await expect(form).toContainText('Cancel order');
  const submit = desk.getByRole('dialog').getByRole('button', { name: 'Cancel an order' });
  await expect(submit).not.toBeFocused();
  await look(desk, 'form-filled');
  await submit.click();
  await expect(desk.getByRole('dialog').getByRole('status')).toHaveText('Done');
  const { records } = await invoke<{ records: object[] }>(desk, 'audit.search', { capability: 'order.cancel' });
  expect(records[0]).toMatchObject({
    caller: { type: 'ui' },
    parent_request_id: expect.stringMatching(/^turn_/),
    status: 'success',
  });
  await desk.keyboard.press('Escape');
  await expect(log(desk)).toContainText('Look at it.');
});
