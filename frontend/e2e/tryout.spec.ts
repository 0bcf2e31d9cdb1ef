import { expect, type Page } from '@playwright/test';
import { card, idOfAna, invoke, log, placeOrder, say, test, typeText } from './bridge';
import { openPage } from './desk';
import type { Line } from './endpoint';
import { look } from './look';

const cancel = (orderId: string): Line => ({
  text: ['I will cancel it.'],
  calls: [{ name: 'order_cancel', args: { orderId, reason: 'no longer needed' } }],
});

/** Places an order for Ana that costs more than the others. */
async function placeDearOrder(desk: Page): Promise<string> {
  const customerId = await idOfAna(desk);
  const { products } = await invoke<{ products: { id: string }[] }>(desk, 'catalog.search', { query: 'Guji' });
  await invoke(desk, 'cart.setCustomer', { customerId });
  await invoke(desk, 'cart.addItem', { productId: products[0]?.id, quantity: 3, customerId });
  return (await invoke<{ orderId: string }>(desk, 'checkout.submit', { fulfilment: 'deliver' })).orderId;
}

const suggestion = (desk: Page) => desk.getByRole('region', { name: 'A grant for what you allow again and again' });

test('the fifth equal answer, a card and the settings say what a grant would have spared', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const dear = await placeDearOrder(desk);
  const orders: string[] = [];
  for (let n = 0; n < 6; n += 1) orders.push(await placeOrder(desk));
  const last = orders.pop() ?? '';
  model.script(cancel(dear), { text: ['As you wish.'] });
  await say(desk, `Cancel ${dear}`);
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('As you wish.');
  for (const [n, order] of orders.entries()) {
    await expect(suggestion(desk)).toHaveCount(0);
    model.script(cancel(order), { text: [`Cancelled ${n + 1}.`] });
    await say(desk, `Cancel ${order}`);
    await card(desk).getByRole('button', { name: 'Allow once' }).click();
    await expect(log(desk)).toContainText(`Cancelled ${n + 1}.`);
  }
  await expect(suggestion(desk)).toContainText('Cancel an order');
  await expect(suggestion(desk)).toContainText('Customer: Ana Ruiz');
  const trial = /In the last four weeks: \d+ cards, \d+ spared, none of the \d+ denied\./;
  await expect(suggestion(desk)).toContainText(trial);
  await look(desk, 'card-suggestion');
  await suggestion(desk).getByRole('button', { name: 'Go on asking' }).click();
  await expect(suggestion(desk)).toHaveCount(0);

  model.script(cancel(last), { text: ['Cancelled too.'] });
  await say(desk, `Cancel ${last}`);
  await card(desk).getByRole('button', { name: 'Allow and don’t ask again for this…' }).click();
  const panel = card(desk).getByRole('form', { name: /do not ask again/ });
  await expect(panel).toContainText(trial);
  await look(desk, 'card-tried');
  await panel.getByRole('textbox', { name: 'Each at most' }).click();
  await desk.keyboard.press('ControlOrMeta+A');
  await typeText(desk, '900');
  await expect(panel).toContainText(/1 of the \d+ denied let through\. .*Denied: record 1/);
  await panel.getByRole('button', { name: 'Back' }).click();
  await card(desk).getByRole('button', { name: 'Allow once' }).click();
  await expect(log(desk)).toContainText('Cancelled too.');

  await desk.keyboard.press('Control+J'); // the page has the window for itself
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  const suggested = desk.getByRole('list', { name: 'Suggested grants' });
  await expect(suggested).toContainText('Cancel an order');
  await desk.getByRole('combobox', { name: 'Reaches outside' }).selectOption('Never');
  const rule = desk.getByRole('list', { name: 'Rules by what is at stake' });
  await expect(rule).toContainText(/In the last four weeks/);
  await suggested.scrollIntoViewIfNeeded();
  await look(desk, 'settings-suggested');
  await suggested.getByRole('button', { name: 'Give this grant: Cancel an order' }).click();
  await expect(suggested).toHaveCount(0);
  const grant = desk.getByRole('list', { name: 'Grants' }).getByRole('listitem').first();
  await expect(grant).toContainText(trial);
  await look(desk, 'settings-grant-tried');

  const before = Number(/(\d+) cards/.exec((await grant.textContent()) ?? '')?.[1]);
  await desk.getByRole('combobox', { name: 'Reaches outside' }).selectOption('');
  model.script(cancel(dear), { text: ['Still there.'] });
  await say(desk, `Cancel ${dear}`);
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(grant).toContainText(`${before + 1} cards`); // it is read again by itself
});
