import { expect } from '@playwright/test';
import { test } from './desk';

/* The pictures in the documentation; taken only when they are asked for. */
test('the window in the middle of a confirmation', { tag: '@screenshot' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1360, height: 850 });
  await desk.keyboard.press('Control+J');
  const say = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await say.fill('Add two bags of the Guji to Ana’s cart.');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await say.fill('Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const deny = desk.getByRole('article', { name: /Ana Ruiz/ }).getByRole('button', { name: 'Deny' });
  await expect(deny).toBeFocused();
  await desk.screenshot({ path: '../docs/images/confirmation.png' });
  await deny.click();
});
