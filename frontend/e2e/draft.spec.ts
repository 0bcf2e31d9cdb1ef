import { expect, type Page } from '@playwright/test';
import { card, invoke, log, ownCard, placeOrder, say } from './bridge';
import { openPage, real, test } from './desk';
import { look } from './look';
import { command } from './program';

test.skip(!real, 'drafts are the real shop’s');

const mark = (desk: Page) => desk.getByRole('region', { name: 'Draft', exact: true });
const list = (desk: Page) => desk.getByRole('list', { name: 'Drafts' });

async function openDrafts(desk: Page) {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Drafts' }).click();
}

/** Goes back to the shop: the page loads anew. */
async function leave(desk: Page) {
  const loaded = desk.waitForEvent('load');
  await mark(desk).getByRole('button', { name: 'Back to the shop' }).click();
  await loaded;
  await openDrafts(desk);
  await expect(desk.getByRole('button', { name: 'Open a copy' })).toBeEnabled(); // the drafts are read
  await expect(mark(desk)).toHaveCount(0);
}

const status = async (desk: Page, orderId: string) =>
  (await invoke<{ status: string }>(desk, 'order.get', { orderId })).status;

test('the assistant works on a copy, and what still fits is merged', { tag: '@long' }, async ({ desk }) => {
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

  await leave(desk);
  expect(await status(desk, kept)).toBe('pending');
  await invoke(desk, 'order.cancel', { orderId: changed, reason: 'out of stock' });
  await openDrafts(desk);
  await expect(list(desk)).toContainText(kept);
  await look(desk, 'settings-drafts');

  await list(desk).getByRole('button', { name: 'Merge…' }).click();
  const { article: asked, go } = ownCard(desk);
  await expect(asked.getByRole('heading', { level: 2 })).toContainText('Merge 2 of 3 changes');
  await expect(asked).toContainText('Left out: 1');
  await look(desk, 'card-merge');
  await go.click();
  await expect(desk.getByText('No draft is open')).toBeVisible();
  expect(await status(desk, kept)).toBe('cancelled');
  expect(await status(desk, changed), 'it was cancelled meanwhile').toBe('cancelled');
});

test('the card of a merge shows what becomes another number than on the copy', { tag: '@long' }, async ({ desk }) => {
  await openDrafts(desk);
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  await expect(mark(desk)).toBeVisible();
  await placeOrder(desk);
  await leave(desk);
  await placeOrder(desk);
  await openDrafts(desk);
  await list(desk).getByRole('button', { name: 'Merge…' }).click();
  const { article: asked, go } = ownCard(desk);
  await expect(asked.getByRole('heading', { name: 'Other numbers than on the copy' })).toBeVisible();
  await look(desk, 'card-merge-moved');
  await go.click();
  await expect(desk.getByText('No draft is open')).toBeVisible();
});

test('a page that is opened anew is on the copy still, and a copy that is discarded is gone', { tag: '@long' }, async ({
  desk,
}) => {
  await openDrafts(desk);
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  await expect(mark(desk)).toBeVisible();
  await invoke(desk, 'order.addNote', { orderId: await placeOrder(desk), text: 'Nowhere else.' });
  await desk.reload();
  await expect(mark(desk), 'a page that is opened anew is on the copy still').toBeVisible();
  await leave(desk);
  await openDrafts(desk);
  await list(desk).getByRole('button', { name: 'Discard' }).click();
  await expect(desk.getByText('No draft is open')).toBeVisible();
});

test('a copy that another program discards is left, and the window says so', { tag: '@long' }, async ({ desk }) => {
  await openDrafts(desk);
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  await expect(mark(desk)).toBeVisible();
  const { here } = await invoke<{ here: { draftId: string } }>(desk, 'draft.list', {});
  command('invoke', 'draft.discard', JSON.stringify({ draftId: here.draftId }), '--approve=allow');
  await expect(desk.getByText('The draft has ended')).toBeVisible();
  await expect(mark(desk)).toHaveCount(0);
  await look(desk, 'draft-ended');
  await desk.reload();
  await openDrafts(desk);
  await expect(desk.getByText('No draft is open')).toBeVisible();
  await expect(desk.getByText('The draft has ended'), 'it says so once').toHaveCount(0);
});
