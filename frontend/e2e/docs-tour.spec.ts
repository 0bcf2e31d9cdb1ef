import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { emptyCart, impossible, openPage, real, test, typeText } from './desk';
import { take } from './look';

test.skip(!real, 'the tour is of the sample shop');

type Take = (page: Page, name: string) => Promise<void>;

/** Follows docs/tour.md from top to bottom, by keyboard where it says so. */
async function follow(desk: Page, picture: Take): Promise<void> {
  const cart = desk.getByRole('region', { name: 'Cart' });
  await desk.keyboard.press('F3');
  await expect(desk.getByRole('combobox', { name: 'Search customers' })).toBeFocused();
  await typeText(desk, 'ana ruiz');
  await expect(desk.getByRole('option', { name: /Ana Ruiz/ }).first()).toBeVisible();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(cart).toContainText('Ana Ruiz');
  await emptyCart(desk); // of what other flows left
  await desk.keyboard.press('F2');
  await typeText(desk, 'guji');
  await expect(desk.getByRole('grid', { name: 'Products found' }).getByRole('row').first()).toContainText('Guji');
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(cart.getByRole('button', { name: /^Submit order/ })).not.toHaveAttribute('aria-disabled', 'true');
  await picture(desk, 'tour-counter');
  await desk.keyboard.press('F9');
  await expect(cart.getByRole('status')).toContainText(/#W\d{7}/);

  await cart.getByRole('button', { name: 'Open order' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: /^Order #W/ })).toBeVisible();
  await picture(desk, 'tour-order');
  await expect((await impossible(desk)).getByRole('listitem').filter({ hasText: /^Return/ })).toContainText(
    'delivered',
  );
  await desk.keyboard.press('Escape');

  await desk.keyboard.press('Control+J');
  const log = desk.getByRole('log', { name: 'What was said' });
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeFocused();
  await typeText(desk, "Add two bags of the Guji to Ana's cart.");
  await desk.keyboard.press('Enter');
  await expect(log.getByRole('button', { name: /^Undo: Add to the cart/ })).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await typeText(desk, 'Submit my order to my home address.');
  await desk.keyboard.press('Enter');
  const card = desk.getByRole('article', { name: /^Submit order for Ana Ruiz/ });
  await expect(card.getByRole('button', { name: 'Deny' })).toBeFocused();
  await expect(card).toContainText('you said it');
  await expect(card).toContainText(/All \d+ changed rows/);
  await card.getByRole('button', { name: 'Allow once' }).click();
  await expect(log).toContainText(/#W\d{7}/);
  await desk.keyboard.press('Control+J');

  await desk.keyboard.press('Control+K');
  await typeText(desk, 'stock');
  await expect(desk.getByRole('dialog').getByRole('option').first()).toBeVisible();
  await desk.keyboard.press('Escape');

  await openPage(desk, 'Audit');
  await desk
    .getByRole('grid', { name: 'Records' })
    .getByRole('row', { name: /Submit order for Ana Ruiz/ })
    .filter({ hasText: 'Assistant' })
    .first()
    .click();
  const steps = desk.getByRole('region', { name: 'Steps' });
  await expect(steps).toContainText('Submit my order to my home address.');
  await expect(steps).toContainText('allowed it once');
  await expect(steps).toContainText('What it changed');
  await picture(desk, 'tour-record');
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'Verify' }).click();
  await expect(desk.getByRole('status').filter({ hasText: 'as they were written' })).toBeVisible();

  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Sales', exact: true }).click();
  await desk.getByRole('combobox', { name: 'Period' }).click();
  await desk.getByRole('option', { name: 'This year' }).click();
  await expect(desk.getByRole('region', { name: 'In figures' })).toContainText('$');
  await picture(desk, 'tour-reports');
  await desk.getByRole('tab', { name: 'Top products' }).click();
  await expect(desk.getByRole('region', { name: 'Top products' })).toContainText('$');
  await desk.getByRole('tab', { name: 'Low stock' }).click();
  await expect(desk.getByRole('textbox', { name: 'So many pieces or fewer' })).toBeVisible();
}

test('the tour in the documentation can be followed', { tag: '@long' }, async ({ desk }) => {
  await follow(desk, async () => undefined);
});

test('the pictures of the tour', { tag: '@screenshot' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1180, height: 760 });
  await invoke(desk, 'theme.set', { theme: 'light' });
  await follow(desk, take);
});
