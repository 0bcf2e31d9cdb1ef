import { expect, type Page } from '@playwright/test';
import { real, test, typeText } from './desk';

test.skip(!real, 'grants and traces are the real shop’s');

/** Opens the form of a capability in the palette, by name. */
async function command(desk: Page, name: string): Promise<void> {
  await desk.keyboard.press('Control+K');
  await expect(desk.getByRole('combobox', { name: 'Find pages, records, settings, actions' })).toBeFocused();
  await typeText(desk, name);
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog').locator('form')).toBeVisible();
}

async function submit(desk: Page): Promise<void> {
  await desk.getByRole('dialog').locator('button[type=submit]').focus();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog').getByRole('status')).toHaveText('Done');
}

test('a grant is revoked and its trace is opened from the palette alone', { tag: '@long' }, async ({ desk }) => {
  const dialog = desk.getByRole('dialog');
  await command(desk, 'grant.create');
  const type = async (label: RegExp, text: string) => {
    await dialog.getByRole('textbox', { name: label }).first().focus();
    await typeText(desk, text);
  };
  await type(/^Capability/, 'order.addNote');
  await type(/^Endpoint/, 'built-in');
  await type(/^Model/, 'built-in assistant');
  await submit(desk);
  await expect(dialog.getByRole('region', { name: 'Result' })).toContainText(/order/i);
  await dialog.getByRole('button', { name: 'See the record' }).focus();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('region', { name: 'Steps' })).toContainText(/grant/i);

  await command(desk, 'grant.revoke');
  await dialog.getByRole('combobox', { name: /^Grant/ }).focus();
  await typeText(desk, 'note'); // grants that other flows ended are listed as well
  await expect(desk.getByRole('option').first()).toContainText(/note/);
  await desk.keyboard.press('ArrowDown');
  await expect(desk.getByRole('option').first()).toHaveAttribute('data-combobox-selected');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('option')).toHaveCount(0);
  await submit(desk);
  await dialog.getByRole('button', { name: 'See the record' }).focus();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('region', { name: 'Steps' })).toContainText(/Revoke/);
});
