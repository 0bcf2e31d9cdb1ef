import { expect } from '@playwright/test';
import { card, idOfAna, invoke, log, placeOrder, test } from './bridge';
import { typeText } from './desk';
import { look } from './look';

test('a person says how far the assistant goes, and no model goes further', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const orders = [await placeOrder(desk), await placeOrder(desk), await placeOrder(desk)];
  await invoke(desk, 'grant.create', {
    grantee: { endpoint: model.url, model: 'scripted' },
    ...{ capability: 'order.cancel', constraints: { customerId: await idOfAna(desk) }, limits: { uses: 5 } },
    until: Date.now() + 3_600_000,
  });
  const cancel = (orderId: string | undefined) => ({
    calls: [{ name: 'order_cancel', args: { orderId, reason: 'no longer needed' } }],
  });
  const ask = async (sentence: string) => {
    await desk.getByRole('textbox', { name: 'Message to the assistant' }).click();
    await typeText(desk, sentence);
    await desk.keyboard.press('Enter');
  };
  await desk.keyboard.press('Control+J');
  const choice = desk.getByRole('combobox', { name: 'How far it goes' });
  await expect(choice).toHaveValue('ask');
  const reach = async () => {
    await expect(choice, 'a turn has ended').toBeEnabled();
    await desk.keyboard.press('Alt+a');
    await expect(choice).toBeFocused();
  };
  await reach();
  await desk.keyboard.press('ArrowUp');
  await expect(choice).toHaveValue('look');
  model.script(cancel(orders[0]), { text: ['I may not.'] });
  await ask('cancel it');
  await expect(log(desk)).toContainText('I may not.');
  await expect(log(desk)).toContainText('In this conversation the assistant looks things up only.');
  await look(desk, 'chat-autonomy');
  await desk.reload();
  await expect(choice, 'it is kept with the conversation').toHaveValue('look');

  await reach();
  await desk.keyboard.press('ArrowDown');
  await expect(choice).toHaveValue('ask');
  model.script(cancel(orders[1]), { text: ['It is cancelled.'] });
  await ask('cancel the next');
  await expect(card(desk), 'no grant answers').toBeVisible();
  await card(desk).getByRole('button', { name: 'Allow once' }).click();
  await expect(log(desk)).toContainText('It is cancelled.');

  await reach();
  await desk.keyboard.press('ArrowDown');
  await expect(choice).toHaveValue('grants');
  model.script(cancel(orders[2]), { text: ['Without a question.'] });
  await ask('and the last');
  await expect(log(desk)).toContainText('Without a question.');
  const { records } = await invoke<{ records: { model: object }[] }>(desk, 'audit.search', {
    capability: 'order.cancel',
  });
  expect(records.slice(0, 3).map(({ model }) => model)).toMatchObject([
    { autonomy: 'grants' },
    { autonomy: 'ask' },
    { autonomy: 'look' },
  ]);
});
