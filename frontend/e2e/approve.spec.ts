import { expect, type Locator, type Page } from '@playwright/test';
import { invoke } from './bridge';
import {
  addSomebody,
  chooseCustomer,
  emptyCart,
  leaveDesk,
  leaveToOwner,
  OWNER,
  openPage,
  openStaff,
  putGuji,
  real,
  signIn,
  test,
  typeText,
} from './desk';
import { look } from './look';

test.skip(!real, 'limits and PINs are the real shop’s');

const MANAGER = 'Nadia Benabdallah-Oyelaran';
const PIN = '80461';
const CLERK = 'June Park';

/** Types into a field as a person does. */
async function typeInto(desk: Page, name: string, text: string): Promise<void> {
  await desk.getByLabel(name, { exact: true }).click();
  await typeText(desk, text);
}

/** The manager among those who may approve: the owner may, too. */
const approver = (card: Locator) => card.getByRole('radio', { name: MANAGER });

/** Leaves the desk at the counter. */
async function lock(desk: Page): Promise<void> {
  await openPage(desk, 'Counter');
  await leaveDesk(desk);
}

/** Adds a person with a PIN. */
async function takeOn(desk: Page, name: string, role: string, pin: string): Promise<void> {
  const dialog = await addSomebody(desk);
  await dialog.getByRole('textbox', { name: 'Name' }).click();
  await typeText(desk, name);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await desk.getByRole('option', { name: role }).click();
  await dialog.getByRole('button', { name: 'Add to the staff' }).click();
  await desk.getByRole('button', { name: `Set the PIN of ${name}` }).click();
  await typeInto(desk, 'New PIN', pin);
  await typeInto(desk, 'Once more', pin);
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

test('a clerk over the refund limit gets a manager’s PIN', { tag: '@long' }, async ({ desk }) => {
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
  await approver(card).click();
  await pin.click();
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
  await approver(card).click();
  await pin.click();
  await typeText(desk, PIN);
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('region', { name: 'Payments recorded' })).toContainText('Refund');
  await expect(desk.getByRole('banner'), 'the clerk is still the one at the desk').toContainText(CLERK);

  await lock(desk);
  await signIn(desk, OWNER.name, OWNER.pin);
  await openPage(desk, 'Audit');
  await desk.getByRole('searchbox', { name: 'Search the records' }).fill('cancel');
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

test('a clerk over the discount limit gets a manager’s PIN, and sells', async ({ desk }) => {
  await takeOn(desk, MANAGER, 'Manager', PIN);
  await lock(desk);
  await signIn(desk, CLERK);
  await invoke(desk, 'cart.setCustomer', { walkIn: true });
  await emptyCart(desk);
  await putGuji(desk);
  const cart = desk.getByRole('region', { name: 'Cart' });
  const dialog = desk.getByRole('dialog', { name: 'Discount on the cart' });
  await desk.keyboard.press('F10');
  await expect(dialog.getByRole('textbox', { name: 'Percent' })).toBeFocused();
  await typeText(desk, '25');
  await desk.keyboard.press('Tab');
  await typeText(desk, 'a torn bag');
  await desk.keyboard.press('Enter');

  const card = desk.getByRole('dialog', { name: 'Waiting for an answer' });
  const pin = card.getByLabel(`PIN of ${MANAGER}`, { exact: true });
  await expect(card).toContainText('Needs a manager: who approves?');
  await expect(card.getByRole('article')).toContainText('25');
  await approver(card).click();
  await pin.click();
  await look(desk, 'approve-discount');
  await typeText(desk, '2222');
  await desk.keyboard.press('Enter');
  await expect(card.getByRole('alert').filter({ hasText: /\S/ })).toContainText(`That is not the PIN of ${MANAGER}.`);
  await expect(pin).toBeFocused();
  await typeText(desk, PIN);
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(cart).toContainText('a torn bag');
  await expect(desk.getByRole('banner'), 'the clerk is still the one at the desk').toContainText(CLERK);

  await desk.keyboard.press('F9');
  await expect(cart.getByRole('list', { name: 'In the cart' })).toHaveCount(0);
  const { orders } = await invoke<{ orders: { id: string }[] }>(desk, 'order.search', { limit: 1 });
  type Sold = { subtotal: { amount: number }; discount: { amount: number } };
  const { subtotal, discount } = await invoke<Sold>(desk, 'order.get', { orderId: orders[0]?.id });
  expect(4 * discount.amount, 'a quarter is off').toBe(subtotal.amount);
  await lock(desk);
  await signIn(desk, OWNER.name, OWNER.pin);
  await letGo(desk, MANAGER);
});
