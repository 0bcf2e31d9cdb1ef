import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, leaveToOwner, openPage, putGuji, real, test } from './desk';
import { look } from './look';

test.skip(!real, 'limits and PINs are the real shop’s');

const MANAGER = 'Nadia Benabdallah-Oyelaran';
const PIN = '80461';
const CLERK = 'June Park';
const OWNER = 'Mara Lindqvist';

/** Signs a person in, with or without a PIN. */
async function signIn(desk: Page, name: string, pin?: string): Promise<void> {
  await desk.getByRole('list', { name: 'People' }).getByRole('button', { name }).click();
  if (pin) {
    await desk.getByLabel(`PIN of ${name}`, { exact: true }).fill(pin);
    await desk.keyboard.press('Enter');
  }
  await expect(desk.getByRole('banner')).toContainText(name);
}

/** Leaves the desk at the counter. */
async function lock(desk: Page): Promise<void> {
  await openPage(desk, 'Counter');
  await desk.getByRole('button', { name: /^Lock/ }).click();
  await expect(desk.getByText('Who is at the desk?')).toBeVisible();
}

async function openStaff(desk: Page): Promise<void> {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Staff' }).click();
}

/** Adds a person with a PIN. */
async function takeOn(desk: Page, name: string, role: string, pin: string): Promise<void> {
  await openStaff(desk);
  const dialog = desk.getByRole('dialog');
  await desk.getByRole('button', { name: 'Add somebody' }).click();
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await desk.getByRole('option', { name: role }).click();
  await dialog.getByRole('button', { name: 'Add to the staff' }).click();
  await desk.getByRole('button', { name: `Set the PIN of ${name}` }).click();
  await dialog.getByLabel('New PIN', { exact: true }).fill(pin);
  await dialog.getByLabel('Once more', { exact: true }).fill(pin);
  await dialog.getByRole('button', { name: 'Set the PIN' }).click();
  await expect(dialog).toHaveCount(0);
}

async function letGo(desk: Page, name: string): Promise<void> {
  await openStaff(desk);
  await desk.getByRole('button', { name: `Remove ${name}` }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Remove from the staff' }).click();
}

/** Places an order above the refund limit of a clerk, and opens its page. */
async function placeLargeOrder(desk: Page): Promise<void> {
  await openPage(desk, 'Counter');
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await desk.getByRole('textbox', { name: /^Quantity of Guji/ }).fill('12');
  await expect(desk.getByRole('button', { name: /Submit order · \$262/ })).toBeVisible();
  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: /Order #W/ })).toBeVisible();
}

test.afterEach(({ desk }) => leaveToOwner(desk));

test('a clerk over the refund limit gets a manager’s PIN', async ({ desk }) => {
  await takeOn(desk, MANAGER, 'Manager', PIN);
  await lock(desk);
  await signIn(desk, CLERK);
  await placeLargeOrder(desk);
  await desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Cancel order' }).click();
  await desk.getByRole('combobox', { name: 'Reason' }).click();
  await desk.getByRole('option', { name: 'Ordered by mistake' }).click();
  await desk.getByRole('button', { name: 'Cancel order and record the refund' }).click();

  const card = desk.getByRole('dialog', { name: 'Waiting for an answer' });
  await expect(card).toContainText('Needs a manager: who approves?');
  await expect(card.getByRole('article')).toContainText('Ana Ruiz');
  const pin = card.getByLabel(`PIN of ${MANAGER}`, { exact: true });
  await expect(pin).toBeFocused();
  await desk.setViewportSize({ width: 1024, height: 700 });
  await expect(pin, 'the buttons never leave the window').toBeInViewport({ ratio: 1 });
  await expect(card.getByRole('button', { name: 'Leave it' })).toBeInViewport({ ratio: 1 });
  await look(desk, 'approve');
  await pin.fill('1111');
  await desk.keyboard.press('Enter');
  await expect(card.getByRole('alert').filter({ hasText: /\S/ })).toContainText(`That is not the PIN of ${MANAGER}.`);
  await expect(pin).toHaveValue('');
  await expect(pin).toBeFocused();
  await look(desk, 'approve-wrong');
  await desk.keyboard.press('Escape');
  await expect(card).toHaveCount(0);
  const dialog = desk.getByRole('dialog');
  await expect(dialog, 'the dialog below stays').toContainText('was declined');
  await look(desk, 'approve-left');

  await desk.getByRole('button', { name: 'Cancel order and record the refund' }).click();
  await expect(pin).toBeFocused();
  await desk.keyboard.type(PIN);
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('region', { name: 'Payments recorded' })).toContainText('Refund');
  await expect(desk.getByRole('banner'), 'the clerk is still the one at the desk').toContainText(CLERK);

  await lock(desk);
  await signIn(desk, OWNER);
  await openPage(desk, 'Audit');
  const records = desk.getByRole('grid', { name: 'Records' }).getByRole('row');
  const trace = desk.getByRole('main');
  await records
    .filter({ hasText: /Cancel order/ })
    .first()
    .click();
  await expect(trace).toContainText(`${CLERK} · Clerk`);
  await expect(trace).toContainText(`${MANAGER} allowed it once, by PIN at the card.`);
  await look(desk, 'approve-record');
  await letGo(desk, MANAGER);
});
