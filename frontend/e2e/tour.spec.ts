import { expect, type Page } from '@playwright/test';
import { chooseCustomer, emptyCart, openPage, putGuji, real, seldom, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'tours are of the real capabilities');

const bar = (page: Page) => page.getByRole('region', { name: 'Tour' });

async function takeTour(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.getByRole('dialog').getByRole('button', { name: title }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('an order from the first call to the audit log, by hand and by asking for it', { tag: '@long' }, async ({
  desk,
}) => {
  await chooseCustomer(desk, 'Noah Whitfield');
  await emptyCart(desk);
  await expect(bar(desk), 'it was refused').toHaveCount(0);
  await takeTour(desk, 'A tour of the desk');
  await expect(bar(desk)).toContainText('Choose a customer');
  await look(desk, 'tour');

  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await expect(bar(desk)).toContainText('Put something into the cart');
  await bar(desk).getByRole('button', { name: 'Skip' }).click();
  await expect(bar(desk), 'its precondition').toContainText('Not yet: The cart is empty');
  await look(desk, 'tour-not-yet');
  await desk.reload();
  await expect(bar(desk), 'remembered').toContainText('Ask for a discount');
  await putGuji(desk);
  await expect(bar(desk)).not.toContainText('Not yet');

  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('give 5 % off');
  await desk.keyboard.press('Enter');
  await expect(bar(desk), 'whoever did it').toContainText('Submit the order');
  await look(desk, 'tour-asked');
  await desk.setViewportSize({ width: 1024, height: 700 });
  await expect(desk.getByRole('button', { name: /^Submit order/ })).toBeInViewport({ ratio: 1 });
  await desk.keyboard.press('Control+J');
  await desk.setViewportSize({ width: 1440, height: 900 });

  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(bar(desk)).toContainText('Leave a note');
  await seldom(desk, 'Add a note');
  await desk.getByRole('dialog').getByRole('textbox').fill('Rings twice.');
  await desk.getByRole('dialog').getByRole('button', { name: 'Add the note' }).click();
  await expect(bar(desk)).toContainText('Look it up');
  await bar(desk)
    .getByRole('button', { name: /step 6 of 6/ })
    .click();
  const steps = bar(desk).getByRole('list');
  await expect(steps.getByRole('listitem').nth(1)).toContainText('skipped');
  await expect(steps.getByRole('listitem').nth(2)).toContainText('done');
  await expect(steps.locator('[aria-current=step]')).toContainText('Look it up');
  await look(desk, 'tour-steps');
  await desk.keyboard.press('Escape');
  await bar(desk).getByRole('button', { name: 'Show me where' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
  await expect(bar(desk), 'finished').toHaveCount(0);
  await expect(desk.getByText(/^That was it: A tour of the desk/)).toBeVisible();
});

test('a tour is left, and found where it was left', { tag: '@long' }, async ({ desk }) => {
  await desk.keyboard.press('Control+K');
  await typeText(desk, 'Take a tour');
  await desk.keyboard.press('Enter');
  const form = desk.getByRole('dialog');
  await form.getByRole('combobox', { name: 'Tour' }).click();
  await desk.getByRole('option', { name: 'desk' }).click();
  await form.getByRole('button', { name: 'Take a tour' }).click();
  await form.getByRole('button', { name: 'Close' }).click();
  await expect(bar(desk)).toContainText('Choose a customer');
  await bar(desk).getByRole('button', { name: 'Skip' }).click();
  await openPage(desk, 'Catalog');
  await expect(bar(desk)).toContainText('Put something into the cart');
  await bar(desk).getByRole('button', { name: 'Leave the tour' }).click();
  await expect(bar(desk)).toHaveCount(0);
  await takeTour(desk, 'A tour of the desk');
  await expect(bar(desk)).toContainText('Put something into the cart');
  await bar(desk).getByRole('button', { name: 'Leave the tour' }).click();
  await expect(bar(desk)).toHaveCount(0);
});
