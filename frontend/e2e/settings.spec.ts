import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { addSomebody, openPage, real, test } from './desk';
import { look } from './look';
import { answerPicker } from './picker';

test.skip(!real, 'settings are the real shop’s');

test('the window looks as it is told', async ({ desk }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  const root = desk.locator('html');
  for (const [theme, picture] of [
    ['Dark', 'settings-dark'],
    ['High contrast', 'settings-contrast'],
    ['Light', 'settings-light'],
  ] as const) {
    await desk.getByRole('radio', { name: theme }).click();
    await expect(desk.getByRole('radio', { name: theme })).toBeChecked();
    if (theme === 'High contrast') await expect(root).toHaveAttribute('data-contrast', '');
    else await expect(root).toHaveAttribute('data-mantine-color-scheme', theme.toLowerCase());
    await look(desk, picture);
  }
  await expect(root).not.toHaveAttribute('data-contrast');
});

test('the shop has a logo at the head of its receipts, until it is removed', async ({ desk }) => {
  const folder = mkdtempSync(join(tmpdir(), 'logo-'));
  const file = join(folder, 'logo.png');
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'The shop' }).click();
  writeFileSync(file, await desk.getByRole('navigation').first().screenshot());
  try {
    const logo = desk.getByRole('region', { name: 'Logo', exact: true });
    await logo.getByRole('button', { name: 'Choose a logo' }).click();
    await answerPicker(desk, 'Choose a picture', file);
    await expect(logo.getByRole('img', { name: 'Logo of the shop' })).toBeVisible();
    const receipt = desk.getByRole('article', { name: 'The receipt as it is printed' });
    await expect(receipt.getByRole('img', { name: 'Logo' })).toBeVisible();
    await look(desk, 'settings-logo');
    await logo.getByRole('button', { name: 'Remove the logo' }).click();
    await expect(desk.getByRole('img', { name: 'Logo' })).toHaveCount(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('desktop notifications are switched off, for this person', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  const none = desk.getByRole('radio', { name: /^None: the title of the window/ });
  const waiting = desk.getByRole('radio', { name: /^Of a question that waits/ });
  await expect(waiting).toBeChecked();
  await waiting.focus();
  await desk.keyboard.press('ArrowDown');
  await expect(none).toBeChecked();
  await look(desk, 'settings-notifications');
  await desk.reload();
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  await expect(none).toBeChecked();
  await waiting.click();
  await expect(waiting).toBeChecked();
});

test('the shop, what a clerk may give away, shipping and tax are changed', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Settings');
  const panel = desk.getByRole('tabpanel');
  const save = panel.getByRole('button', { name: /^Save/ });
  await desk.getByRole('tab', { name: 'The shop' }).click();
  await expect(save).toHaveAccessibleDescription('Nothing is changed yet.');
  const name = panel.getByRole('textbox', { name: 'Name' });
  const before = await name.inputValue();
  await name.fill('The Very Long Name of a Roastery by the Harbour and Its Many Friends');
  const receipt = panel.getByRole('article', { name: 'The receipt as it is printed' });
  await panel.getByRole('textbox', { name: 'Address' }).fill('9 Wharf Road\nPortland, ME 04101');
  await panel.getByRole('textbox', { name: 'Tax number' }).fill('VAT no. GB123456789');
  await panel.getByRole('textbox', { name: 'Last lines of a receipt' }).fill('Returns within 30 days.');
  for (const line of ['9 Wharf Road', 'VAT no. GB123456789', 'Returns within 30 days.'])
    await expect(receipt, 'as it is typed').toContainText(line);
  await save.click();
  await expect(panel.getByRole('status')).toHaveText('Saved.');
  await expect(desk.getByRole('banner')).toContainText('The Very Long Name');
  await look(desk, 'settings-shop');
  await name.fill(before);
  for (const field of ['Address', 'Tax number', 'Last lines of a receipt'])
    await panel.getByRole('textbox', { name: field }).fill('');
  await save.click();
  await expect(desk.getByRole('banner')).toContainText(before);

  await desk.getByRole('tab', { name: 'Limits' }).click();
  await panel.getByRole('textbox', { name: 'Refund at once' }).fill('249.50');
  await save.click();
  await expect(panel.getByRole('status')).toHaveText('Saved.');
  await panel.getByRole('textbox', { name: 'Refund at once' }).fill('250');
  await save.click();
  await expect(save).toHaveAccessibleDescription('Nothing is changed yet.');

  await desk.getByRole('tab', { name: 'Shipping' }).click();
  await panel.getByRole('button', { name: 'One more' }).click();
  const last = panel.getByRole('list', { name: 'Shipping methods' }).getByRole('listitem').last();
  await last.getByRole('textbox', { name: 'Name' }).fill('By bicycle');
  await last.getByRole('textbox', { name: 'Price' }).fill('3');
  await last.getByRole('textbox', { name: 'Working days' }).fill('1');
  await expect(last.getByRole('combobox', { name: 'Tax' })).toHaveValue('As the goods');
  await look(desk, 'settings-shipping');
  await save.click();
  await expect(panel.getByRole('status')).toHaveText('Saved.');
  await panel.getByRole('button', { name: 'Leave By bicycle out' }).click();
  await save.click();
  await expect(save).toHaveAccessibleDescription('Nothing is changed yet.');

  await desk.getByRole('tab', { name: 'Tax' }).click();
  await expect(panel.getByRole('textbox', { name: 'Percent' }).last()).toHaveValue('5.5');
  await desk.getByRole('tab', { name: 'Mail' }).click();
  await expect(panel.getByRole('textbox', { name: 'Server' })).toBeVisible();
  await look(desk, 'settings-mail');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const asked = panel.getByRole('switch', { name: 'The assistant may be asked' });
  await expect(asked).toBeChecked();
  await expect(panel).toContainText('The built-in assistant answers');
  await asked.click();
  await expect(asked).not.toBeChecked();
  await asked.click();
  await expect(asked).toBeChecked();
  await look(desk, 'settings-assistant');
});

test('a copy is written, and its place is told', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Backups' }).click();
  await desk.getByRole('button', { name: /^Write a copy/ }).click();
  const told = desk.getByRole('status').filter({ hasText: 'records' });
  await expect(told).toContainText('.db');
  await look(desk, 'settings-copies');
  await desk.getByRole('button', { name: 'Dismiss' }).click();
});

test('somebody is added with a PIN in one dialog', { tag: '@long' }, async ({ desk }) => {
  const dialog = await addSomebody(desk);
  const name = 'Theodora Vlachou';
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByLabel('PIN', { exact: true }).fill('4711');
  await dialog.getByLabel('PIN once more', { exact: true }).fill('4712');
  const add = dialog.getByRole('button', { name: /^Add to the staff/ });
  await expect(add).toHaveAccessibleDescription(/not the same/);
  await dialog.getByLabel('PIN once more', { exact: true }).fill('4711');
  await look(desk, 'staff-new');
  await add.click();
  await expect(dialog).toHaveCount(0);
  const row = desk.getByRole('list', { name: 'Staff' }).getByRole('listitem').filter({ hasText: name });
  await expect(row).toContainText('Signs in with a PIN');
});

test('currency, language and time zone are chosen by their names', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'The shop' }).click();
  const panel = desk.getByRole('tabpanel');
  await expect(panel.getByRole('combobox', { name: 'Currency' })).toHaveValue('US Dollar (USD)');
  const zone = panel.getByRole('combobox', { name: 'Time zone' });
  const before = await zone.inputValue();
  await zone.fill('berlin');
  await desk.getByRole('option', { name: 'Europe / Berlin' }).click();
  await panel.getByRole('button', { name: /^Save/ }).click();
  const save = panel.getByRole('button', { name: /^Save/ });
  await expect(save).toHaveAccessibleDescription('Nothing is changed yet.');
  await expect(zone).toHaveValue('Europe / Berlin');
  await zone.fill(before);
  await desk.getByRole('option', { name: before, exact: true }).click();
  await save.click();
  await expect(save).toHaveAccessibleDescription('Nothing is changed yet.');
});
