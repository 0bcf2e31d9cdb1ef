import { expect, type Locator, type Page } from '@playwright/test';
import { real, tabTo, test, typeText } from './desk';

test.skip(!real, 'grants and traces are the real shop’s');

async function pressAt(desk: Page, target: Locator): Promise<void> {
  await tabTo(desk, target);
  await desk.keyboard.press('Enter');
}

const rail = (desk: Page, name: string) =>
  desk.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name });

test('a grant is given and revoked, and its trace followed, by keyboard alone', { tag: '@long' }, async ({ desk }) => {
  await pressAt(desk, rail(desk, 'Settings'));
  const chosen = desk.getByRole('tab', { selected: true });
  await tabTo(desk, chosen);
  const permissions = desk.getByRole('tab', { name: 'What it may do' });
  const hasFocus = () => permissions.evaluate((element) => element === document.activeElement);
  for (let pressed = 0; pressed < 12 && !(await hasFocus()); pressed += 1) await desk.keyboard.press('ArrowDown');
  await expect(permissions).toHaveAttribute('aria-selected', 'true');
  await pressAt(desk, desk.getByRole('button', { name: 'New grant' }));
  const dialog = desk.getByRole('dialog');
  const what = dialog.getByRole('combobox', { name: 'What is allowed' });
  await expect(what).toBeFocused();
  await typeText(desk, 'Cancel an order');
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(what).toHaveValue('Cancel an order');
  await tabTo(desk, dialog.getByRole('combobox', { name: 'Only for customer' }));
  await typeText(desk, 'Ana Ruiz');
  await expect(desk.getByRole('option', { name: /Ana Ruiz/ })).toBeVisible();
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await tabTo(desk, dialog.getByRole('textbox', { name: 'In all at most' }));
  await typeText(desk, '25');
  await expect(dialog.getByRole('combobox', { name: 'Only for customer' })).toHaveValue(/Ana Ruiz/);
  const until = dialog.getByRole('combobox', { name: 'How long' });
  await tabTo(desk, until);
  for (const key of ['Enter', 'ArrowDown', 'Enter']) await desk.keyboard.press(key);
  await expect(until).toHaveValue(/^For one hour/);
  await pressAt(desk, dialog.getByRole('button', { name: 'Give the grant' }));
  const grants = desk.getByRole('list', { name: 'Grants' });
  await expect(grants).toContainText('Cancel an order');
  await pressAt(desk, grants.getByRole('button', { name: 'Revoke' }));
  await expect(grants).not.toContainText('Cancel an order');

  await pressAt(desk, rail(desk, 'Audit'));
  const records = desk.getByRole('grid', { name: 'Records' });
  await expect(records.getByRole('row', { name: /Revoke/ }).first()).toBeVisible();
  await tabTo(desk, records);
  await desk.keyboard.press('Home');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('region', { name: 'Steps' })).toContainText(/Revoke/);
  await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
});
