import { expect, type Page } from '@playwright/test';
import { card, invoke, log, placeOrder, say } from './bridge';
import { openPage, real, test } from './desk';
import { look } from './look';

test.skip(!real, 'drafts are the real shop’s');

const mark = (desk: Page) => desk.getByRole('region', { name: 'Draft', exact: true });
const list = (desk: Page) => desk.getByRole('list', { name: 'Drafts' });

async function openDrafts(desk: Page) {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Drafts' }).click();
}

const status = async (desk: Page, orderId: string) =>
  (await invoke<{ status: string }>(desk, 'order.get', { orderId })).status;

test('the assistant works on a copy, and what still fits is merged', async ({ desk }) => {
  const [kept = '', changed = ''] = [await placeOrder(desk), await placeOrder(desk)];
  await openDrafts(desk);
  await expect(desk.getByText('No draft is open')).toBeVisible();
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  await expect(mark(desk)).toContainText('This is a copy of');
  await look(desk, 'draft');

  await say(desk, `cancel order ${kept}, ordered by mistake`);
  await expect(log(desk)).toContainText('cancelled');
  await expect(card(desk), 'on a draft nothing is asked').toHaveCount(0);
  await invoke(desk, 'order.addNote', { orderId: changed, text: 'Wrap it twice.' });
  await invoke(desk, 'order.process', { orderId: changed });

  await mark(desk).getByRole('button', { name: 'Back to the shop' }).click();
  await expect(mark(desk)).toHaveCount(0);
  expect(await status(desk, kept)).toBe('pending');
  await invoke(desk, 'order.cancel', { orderId: changed, reason: 'out of stock' });
  await openDrafts(desk);
  await expect(list(desk)).toContainText(kept);
  await look(desk, 'settings-drafts');

  await list(desk).getByRole('button', { name: 'Merge…' }).click();
  const asked = desk.getByRole('dialog', { name: 'Waiting for an answer' }).getByRole('article');
  await expect(asked.getByRole('heading', { level: 2 })).toContainText('Merge 2 of 3 changes');
  await expect(asked).toContainText('Left out: 1');
  await look(desk, 'card-merge');
  await asked.getByRole('button', { name: 'Allow' }).click();
  await expect(desk.getByText('No draft is open')).toBeVisible();
  expect(await status(desk, kept)).toBe('cancelled');
  expect(await status(desk, changed), 'it was cancelled meanwhile').toBe('cancelled');
});

test('a page that is opened anew is on the copy still, and a copy that is discarded is gone', async ({ desk }) => {
  await openDrafts(desk);
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  await expect(mark(desk)).toBeVisible();
  await invoke(desk, 'order.addNote', { orderId: await placeOrder(desk), text: 'Nowhere else.' });
  await desk.reload();
  await expect(mark(desk), 'a page that is opened anew is on the copy still').toBeVisible();
  await mark(desk).getByRole('button', { name: 'Back to the shop' }).click();
  await expect(mark(desk)).toHaveCount(0);
  await openDrafts(desk);
  await list(desk).getByRole('button', { name: 'Discard' }).click();
  await expect(desk.getByText('No draft is open')).toBeVisible();
});
