import { expect, type Page } from '@playwright/test';
import { invoke, ownCard, placeOrder } from './bridge';
import { openPage, real, test } from './desk';
import { look } from './look';
import { packAndNote } from './scenes';

test.skip(!real, 'orders are the real shop’s');

const orders = (desk: Page) => desk.getByRole('grid', { name: 'Orders' });
const card = (desk: Page) => ownCard(desk).article;
const bar = (desk: Page) => desk.getByRole('region', { name: 'Selected' });

const states = async (desk: Page, ids: readonly string[]) =>
  Promise.all(
    ids.map(async (orderId) => {
      const order = await invoke<{ status: string; notes: unknown[] }>(desk, 'order.get', { orderId });
      return `${order.status} ${order.notes.length}`;
    }),
  );

test('one order is packed and noted, and the same is done with nine others', { tag: '@long' }, async ({ desk }) => {
  const ids: string[] = [];
  for (let n = 0; n < 11; n++) ids.push(await placeOrder(desk));
  const [first = '', ...others] = ids;
  const nine = others.slice(0, 9);
  await invoke(desk, 'order.process', { orderId: others[9] }); // it will be among them, and it does not fit
  await invoke(desk, 'navigation.go', { page: 'orders', id: first });
  await packAndNote(desk);

  await openPage(desk, 'Orders');
  await orders(desk).getByRole('row').filter({ hasText: others[9] }).getByRole('checkbox').click();
  await orders(desk)
    .getByRole('row')
    .filter({ hasText: nine[0] })
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  await expect(bar(desk)).toContainText('10 selected');
  const before = await states(desk, others);

  await bar(desk).getByRole('button', { name: 'Do the same' }).click();
  await expect(card(desk).getByRole('heading', { level: 2 })).toContainText('Do the same with 9');
  await expect(card(desk).locator('ol').first().getByRole('listitem')).toHaveCount(18);
  await expect(card(desk)).toContainText('Left out: 1');
  await expect(card(desk).getByRole('listitem').filter({ hasText: 'only a pending order' })).toContainText(
    others[9] ?? '',
  );
  await look(desk, 'card-same');
  await card(desk).getByRole('button', { name: 'Do the same with others' }).click();

  const told = desk.getByRole('region', { name: 'Just done' });
  await expect(told).toContainText('Do the same with others: done.');
  expect(await states(desk, nine)).toEqual(Array(9).fill('processed 1'));
  await told.getByRole('button', { name: /^Undo/ }).click();
  await expect(told).toContainText('Undone');
  expect(await states(desk, others)).toEqual(before);
});

test('what another window did meanwhile is left out on a new card, and a trace is repeated too', {
  tag: '@long',
}, async ({ desk }) => {
  const [first = '', one = '', two = ''] = [await placeOrder(desk), await placeOrder(desk), await placeOrder(desk)];
  await invoke(desk, 'navigation.go', { page: 'orders', id: first });
  await packAndNote(desk);
  await openPage(desk, 'Orders');
  for (const id of [one, two]) {
    await orders(desk).getByRole('row').filter({ hasText: id }).getByRole('checkbox').click();
  }
  await expect(bar(desk)).toContainText('2 selected');
  await bar(desk).getByRole('button', { name: 'Do the same' }).press('Enter');
  await desk.keyboard.press('Enter');
  await expect(card(desk)).toHaveCount(1);
  await expect(card(desk).locator('ol').first().getByRole('listitem')).toHaveCount(4);
  await invoke(desk, 'order.process', { orderId: one });
  await card(desk).getByRole('button', { name: 'Do the same with others' }).click();
  await expect(card(desk)).toContainText('This changed while you were asked');
  await expect(card(desk)).toContainText('Left out: 1');
  await card(desk).getByRole('button', { name: 'Leave it' }).click();
  await expect(card(desk)).toHaveCount(0);
  expect(await states(desk, [one, two])).toEqual(['processed 0', 'pending 0']);

  await openPage(desk, 'Audit');
  await desk
    .getByRole('grid', { name: 'Records' })
    .getByRole('row')
    .filter({ hasText: 'Packed for Friday' })
    .first()
    .click();
  await desk.getByRole('button', { name: 'Do the same with 2 selected' }).first().click();
  await expect(card(desk).locator('ol').first().getByRole('listitem')).toHaveCount(2);
  await card(desk).getByRole('button', { name: 'Do the same with others' }).click();
  await expect(desk.getByRole('region', { name: 'Just done' })).toContainText('Do the same with others: done.');
  await look(desk, 'trace-same');
  expect(await states(desk, [one, two])).toEqual(['processed 1', 'pending 1']);

  const latest = { capability: 'plan.repeat', limit: 1 };
  const { records } = await invoke<{ records: { request_id: string }[] }>(desk, 'audit.search', latest);
  await invoke(desk, 'navigation.go', { page: 'audit', id: records[0]?.request_id });
  await desk.getByRole('button', { name: 'Save as routine…' }).click();
  const saving = desk.getByRole('dialog', { name: 'Save as routine' });
  await expect(saving.getByRole('list', { name: 'What it does' })).toHaveText('Add a note to an order');
  await expect(saving.getByRole('checkbox')).toHaveCount(1);
  await saving.getByRole('button', { name: 'Cancel' }).click();
  await openPage(desk, 'Orders');
  await bar(desk).getByRole('button', { name: 'Select none' }).click();
});
