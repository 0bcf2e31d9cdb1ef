import { expect, type Page } from '@playwright/test';
import { addSomebody, leaveDesk, leaveToOwner, OWNER, openPage, openStaff, real, signIn, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'people and their PINs are the real shop’s');

const people = (desk: Page) => desk.getByRole('list', { name: 'People' });

test.afterEach(({ desk }) => leaveToOwner(desk));

test('somebody else takes over, and finds what they may do', async ({ desk }) => {
  await leaveDesk(desk);
  await expect(people(desk).getByRole('button').first()).toBeFocused();
  await look(desk, 'sign-in');
  await signIn(desk, 'June Park');
  await expect(desk.getByRole('navigation', { name: 'Pages' })).toBeVisible();
  await openPage(desk, 'Catalog');
  await desk.getByRole('grid', { name: 'Catalog' }).getByRole('row').first().click();
  const price = desk.getByRole('button', { name: /^Set the price of/ }).first();
  await expect(price).toHaveAccessibleDescription('You may not do this.');
  await look(desk, 'product-clerk');
  await openPage(desk, 'Settings');
  await expect(desk.getByRole('tab', { name: 'Appearance' })).toBeVisible();
  await expect(desk.getByRole('tab', { name: 'Staff' })).toHaveCount(0);
  await leaveDesk(desk);
  await expect(desk.getByRole('navigation'), 'of a person without a PIN nothing stays').toHaveCount(0);
});

test('somebody new gets a PIN, and signs in with it', { tag: '@long' }, async ({ desk }) => {
  const dialog = await addSomebody(desk);
  const name = 'Nadia Benabdallah-Oyelaran';
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Add to the staff' }).click();
  const row = desk.getByRole('list', { name: 'Staff' }).getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('Has no PIN yet');
  await desk.getByRole('button', { name: `Set the PIN of ${name}` }).click();
  await dialog.getByLabel('New PIN', { exact: true }).fill('4711');
  await dialog.getByLabel('Once more', { exact: true }).fill('4712');
  await expect(dialog.getByRole('button', { name: /^Set the PIN/ })).toHaveAccessibleDescription(/not the same/);
  await dialog.getByLabel('Once more', { exact: true }).fill('4711');
  await look(desk, 'staff-pin');
  await dialog.getByRole('button', { name: 'Set the PIN' }).click();
  await expect(row).toContainText('Signs in with a PIN');
  await look(desk, 'settings-staff');

  await leaveDesk(desk);
  await people(desk).getByRole('button', { name }).click();
  const pin = desk.getByLabel(`PIN of ${name}`, { exact: true });
  await expect(pin).toBeFocused();
  await typeText(desk, '0000');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('alert')).toContainText('That is not the PIN');
  await expect(pin).toBeFocused();
  await expect(pin).toHaveValue('');
  await look(desk, 'pin-wrong');
  await typeText(desk, '4711');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('banner')).toContainText(name);
  await desk.getByRole('button', { name: /^Lock/ }).click();
  await expect(pin, 'a person with a PIN is asked for it first').toBeFocused();
  await desk.getByRole('button', { name: 'Somebody else' }).click();
  await signIn(desk, OWNER.name, OWNER.pin);
  await openStaff(desk);
  await desk.getByRole('button', { name: `Remove ${name}` }).click();
  await dialog.getByRole('button', { name: 'Remove from the staff' }).click();
  await expect(row).toHaveCount(0);
});
