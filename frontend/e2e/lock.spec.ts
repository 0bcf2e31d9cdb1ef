import { expect, type Page } from '@playwright/test';
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

test.skip(!real, 'a PIN is the real shop’s');

const KEEPER = 'Wilhelmina Featherstonehaugh-Oyelaran';
const PIN = '52718';

async function lockAfter(desk: Page, choice: string): Promise<void> {
  await openStaff(desk);
  const part = desk.getByRole('region', { name: 'Lock the window by itself' });
  await part.getByRole('combobox').click();
  await desk.getByRole('option', { name: choice, exact: true }).click();
  await part.getByRole('button', { name: /^Save/ }).click();
  await expect(part.getByRole('status')).toHaveText('Saved.');
}

test.afterEach(({ desk }) => leaveToOwner(desk));

/** Unlocks the window by PIN. */
async function unlock(desk: Page): Promise<void> {
  const pin = desk.getByLabel(`PIN of ${KEEPER}`, { exact: true });
  await expect(pin).toBeFocused();
  await typeText(desk, PIN);
  await desk.keyboard.press('Enter');
  await expect(pin).toHaveCount(0);
}

test('a window that nobody touches locks, and keeps a cart and a half-typed form', { tag: '@long' }, async ({
  desk,
}) => {
  const dialog = desk.getByRole('dialog');
  await lockAfter(desk, '15 minutes'); // longer than this flow takes on the busiest machine
  const part = desk.getByRole('region', { name: 'Lock the window by itself' });
  await part.scrollIntoViewIfNeeded();
  await look(desk, 'settings-lock');
  await addSomebody(desk);
  await dialog.getByRole('textbox', { name: 'Name' }).fill(KEEPER);
  await dialog.getByRole('combobox', { name: 'Role' }).click();
  await desk.getByRole('option', { name: 'Owner' }).click();
  await dialog.getByRole('button', { name: 'Add to the staff' }).click();
  await desk.getByRole('button', { name: `Set the PIN of ${KEEPER}` }).click();
  await dialog.getByLabel('New PIN', { exact: true }).fill(PIN);
  await dialog.getByLabel('Once more', { exact: true }).fill(PIN);
  await dialog.getByRole('button', { name: 'Set the PIN' }).click();
  await openPage(desk, 'Counter');
  await leaveDesk(desk);
  await desk.getByRole('list', { name: 'People' }).getByRole('button', { name: KEEPER }).click();
  await unlock(desk);

  await desk.clock.install();
  await desk.reload();
  await openPage(desk, 'Counter');
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await openPage(desk, 'Customers');
  await desk
    .getByRole('button', { name: /New customer|Add a customer/ })
    .first()
    .click();
  const name = dialog.getByRole('textbox', { name: 'Name' });
  await name.fill('Half a na');
  await desk.clock.fastForward(15 * 60_000 + 1000);
  await expect(desk.getByText(`Locked. ${KEEPER} was at the desk.`)).toBeVisible();
  await look(desk, 'lock');
  await desk.keyboard.press('Escape'); // is not for the form behind
  await unlock(desk);
  await expect(name).toHaveValue('Half a na');
  await expect(name).toBeFocused();
  await desk.keyboard.press('Escape');
  await openPage(desk, 'Counter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');

  await emptyCart(desk);
  await lockAfter(desk, 'Never');
  await openPage(desk, 'Counter');
  await leaveDesk(desk);
  await signIn(desk, OWNER.name, OWNER.pin);
  await openStaff(desk);
  await desk.getByRole('button', { name: `Remove ${KEEPER}` }).click();
  await dialog.getByRole('button', { name: 'Remove from the staff' }).click();
  await expect(desk.getByRole('list', { name: 'Staff' })).not.toContainText(KEEPER);
});
