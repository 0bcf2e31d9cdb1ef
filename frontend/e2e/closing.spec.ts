import { expect } from '@playwright/test';
import { openPage, real, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'the drawer is the real shop’s');

test('the day is closed by keyboard: F9, the amount and Enter', async ({ desk }) => {
  const dialog = desk.getByRole('dialog');
  await openPage(desk, 'Today');
  const cash = desk.getByRole('region', { name: 'Cash of Main' });
  await expect(cash).toContainText('Should be in the drawer');

  await desk.keyboard.press('Shift+F9');
  await expect(dialog.getByRole('textbox', { name: /^Amount/ })).toBeFocused();
  await typeText(desk, '150');
  await desk.keyboard.press('Tab');
  await typeText(desk, 'change');
  await look(desk, 'cash-move');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);

  await desk.keyboard.press('F9');
  await expect(dialog.getByRole('textbox', { name: /^Counted/ })).toBeFocused();
  await expect(dialog).toContainText('$150.00');
  await typeText(desk, '149.50');
  await look(desk, 'close-day');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(cash).toContainText(/closed with \d+/);
  await expect(cash).toContainText('$149.50');

  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Closings' }).click();
  await expect(desk.getByRole('region', { name: 'Closings' })).toContainText('$149.50');
  await look(desk, 'report-closings');
});
