import { expect, type Page } from '@playwright/test';
import { ownCard } from './bridge';
import { openPage, real, test } from './desk';
import { look } from './look';
import { answerSystemPicker } from './picker';

test.skip(!real, 'copies are of the real shop');

async function openCopies(desk: Page): Promise<void> {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Backups' }).click();
}

/** The path named in a status strip. */
const pathIn = (desk: Page, what: RegExp) =>
  desk.getByRole('status').filter({ hasText: what }).locator('code').innerText();

async function addCustomer(desk: Page, name: string): Promise<void> {
  await openPage(desk, 'Customers');
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  await desk.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a copy is written and put back: what came after it is gone', { tag: '@long' }, async ({ desk }) => {
  const late = 'Konstantinos Papadimitriou the Younger';
  await openCopies(desk);
  await desk.getByRole('button', { name: 'Write a copy' }).click();
  const copy = await pathIn(desk, /records/);
  await addCustomer(desk, late);

  await openCopies(desk);
  const newest = desk.getByRole('table', { name: 'Copies' }).getByRole('row').nth(1);
  await expect(newest).toContainText('0 orders and 1 new customer');
  await look(desk, 'backups');
  await desk.getByRole('button', { name: 'Choose a copy' }).click();
  await answerSystemPicker(desk, 'Choose a copy of the shop', copy); // GTK reads the files beside it: see audit.Hold
  const { dialog: card, go } = ownCard(desk);
  await expect(card.getByRole('article')).toContainText('Replace the shop by');
  await expect(card.getByRole('article')).toContainText('Lost since then: orders 0, new customers 1');
  await expect(card, 'a file by its name').not.toContainText('file_');
  await look(desk, 'copies-restore');
  await go.click();
  await expect(desk.getByText(/The shop is as it was on/)).toBeVisible();
  await look(desk, 'copies-restored');
  await openPage(desk, 'Customers');
  await desk.getByRole('searchbox').fill('Papadimitriou');
  await expect(desk.getByText('No customer found')).toBeVisible();
  await openPage(desk, 'Audit');
  await desk.getByRole('button', { name: 'Verify' }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();
});

test('a copy of the list is put back, and daily copies are switched off and on', { tag: '@long' }, async ({ desk }) => {
  await openCopies(desk);
  const daily = desk.getByRole('switch', { name: 'Write a copy each day' });
  await expect(daily).toBeChecked();
  await daily.click();
  await expect(daily).not.toBeChecked();
  await daily.click();
  await expect(daily).toBeChecked();
  await desk.getByRole('button', { name: 'Write a copy' }).click();
  await expect(desk.getByRole('status').filter({ hasText: /records/ })).toBeVisible();
  const newest = desk.getByRole('table', { name: 'Copies' }).getByRole('row').nth(1);
  await expect(newest).toContainText('No order and no customer');
  await newest.getByRole('button', { name: 'Put back…' }).click();
  const card = ownCard(desk).dialog;
  await card.getByRole('button', { name: 'Leave it' }).click();
  await expect(card).toHaveCount(0);
});

test('copies are looked at', { tag: '@long' }, async ({ desk }) => {
  await openCopies(desk);
  await expect(desk.getByRole('button', { name: /^Choose the file of a shop/ })).toHaveAccessibleDescription(
    /products or customers in this shop already/,
  );
  await desk.getByRole('button', { name: 'Write the file' }).click();
  expect(await pathIn(desk, /orders and what they are about/)).toMatch(/\.json$/);
  await look(desk, 'copies');
  await desk.getByRole('button', { name: 'Dismiss' }).click();
});
