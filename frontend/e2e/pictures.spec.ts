import { expect } from '@playwright/test';
import { card, idOfAna, invoke, placeOrder, say, test } from './bridge';
import { openPage } from './desk';
import { Endpoint } from './endpoint';
import { take } from './look';

/* The pictures in the documentation; taken only when they are asked for. */
test('the window in the middle of a confirmation', { tag: '@screenshot' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1360, height: 850 });
  await desk.keyboard.press('Control+J');
  const say = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await say.fill('Add two bags of the Guji to Ana’s cart.');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await say.fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const deny = desk.getByRole('article', { name: /Ana Ruiz/ }).getByRole('button', { name: 'Deny' });
  await expect(deny).toBeFocused();
  await take(desk, 'confirmation');
  await deny.click();
});

test('a plan of three steps', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1360, height: 850 });
  const order = await placeOrder(desk);
  const customerId = await idOfAna(desk);
  const steps = [
    { capability: 'order.cancel', arguments: { orderId: order, reason: 'ordered by mistake' } },
    { capability: 'order.addNote', arguments: { orderId: order, text: 'Ana called: she will order again next week.' } },
    { capability: 'customer.update', arguments: { customerId, phone: '503 555 0130' } },
  ];
  model.script({ text: ['I will do the three together.'], calls: [{ name: 'plan_propose', args: { steps } }] });
  await say(desk, 'Cancel it, note why, and her new number is 503 555 0130.');
  await expect(card(desk).getByRole('heading', { name: 'Do 3 things as one' })).toBeVisible();
  await take(desk, 'plan');
});

test('a model that was tested', { tag: '@screenshot' }, async ({ desk }) => {
  const ollama = await Endpoint.start(11434, ['llama3.1', 'qwen3']);
  await desk.setViewportSize({ width: 1120, height: 850 });
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const panel = desk.getByRole('tabpanel');
  await panel.getByRole('combobox', { name: 'Assistant' }).click();
  await desk.getByRole('option', { name: 'Ollama' }).click();
  await panel.getByRole('button', { name: 'Test' }).click();
  await expect(panel.getByRole('status').first()).toContainText('This model can work here.');
  await take(desk, 'model');
  await ollama.stop();
});

test('what the assistant may do', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1120, height: 700 });
  const terms = {
    constraints: { customerId: await idOfAna(desk), amount: { max: { amount: 5000, currency: 'USD' } } },
  };
  await invoke(desk, 'grant.create', {
    ...{ ...terms, grantee: { endpoint: model.url, model: 'scripted' }, capability: 'order.cancel' },
    limits: { uses: 3, budget: { amount: 12000, currency: 'USD' } },
    until: Date.now() + 7 * 24 * 3_600_000,
  });
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  await expect(desk.getByRole('list', { name: 'Grants' })).toContainText('Ana Ruiz');
  await take(desk, 'permissions');
});
