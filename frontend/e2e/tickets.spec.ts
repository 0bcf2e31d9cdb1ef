import { expect, test } from '@playwright/test';
import { expectAccessible } from './axe';

/* The help desk of docs/examples/tickets: another application, with the page kit as it is packed. */
test('a queue by buttons, palette and conversation', { tag: '@tickets' }, async ({ page }) => {
  await page.goto(process.env.TICKETS_URL ?? '');
  const ticket = (name: string) => page.getByRole('region', { name });
  await expect(page.getByRole('main').getByRole('region')).toHaveCount(3);
  await expectAccessible(page, 'the queue');

  await ticket('The printer is on fire').getByRole('button', { name: 'Take a ticket' }).click();
  await expect(ticket('The printer is on fire')).toContainText('Kim');
  await page.getByRole('button', { name: 'Undo: Take a ticket' }).click();
  await expect(ticket('The printer is on fire')).not.toContainText('Kim');

  await page.keyboard.press('Control+K');
  await page
    .getByRole('combobox', { name: 'Find pages, records, settings, actions' })
    .pressSequentially('open a ticket');
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'What is wrong' }).pressSequentially('The mouse ran away');
  await page.keyboard.press('Enter');
  await expect(ticket('The mouse ran away')).toContainText('hardware · open');
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();

  await page.keyboard.press('Control+J');
  const message = page.getByRole('textbox', { name: 'Message to the assistant' });
  await message.pressSequentially('close the printer');
  await page.keyboard.press('Enter');
  await expect(ticket('The printer is on fire')).toContainText('closed');
  await message.pressSequentially('delete the mouse');
  await page.keyboard.press('Enter');
  const card = page.getByRole('article', { name: 'Delete a ticket: The mouse ran away' });
  await expect(card).toContainText('cannot be taken back');
  await expectAccessible(page, 'a card');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(ticket('The mouse ran away')).toHaveCount(0);

  await page.getByRole('button', { name: 'Audit' }).click();
  const records = page.getByRole('tabpanel', { name: 'Records' });
  await records.getByRole('row').filter({ hasText: 'Delete a ticket' }).first().click();
  await expect(page.getByRole('heading', { name: 'Trace' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('delete the mouse');
  await expect(page.getByRole('main')).toContainText('kim allowed it once');
  await expectAccessible(page, 'a trace');
});
