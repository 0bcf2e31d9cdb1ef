import { test as base, expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { chooseCustomer, emptyCart, openPage, putGuji, real, test } from './desk';
import { withFiles } from './files';
import { answerPicker } from './picker';

test.skip(!real, 'tours are of the real capabilities');

const bar = (page: Page) => page.getByRole('region', { name: 'Tour' });

async function takeTour(page: Page, title: string): Promise<void> {
  await page.keyboard.press('F1');
  await page.getByRole('dialog').getByRole('button', { name: title }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
}

test('an order from the first call to the audit log, by hand and by asking for it', async ({ desk }) => {
  test.slow();
  await chooseCustomer(desk, 'Noah Whitfield');
  await emptyCart(desk);
  await expect(bar(desk), 'it was refused').toHaveCount(0);
  await takeTour(desk, 'A tour of the desk');
  await expect(bar(desk)).toContainText('Choose a customer');
  await desk.screenshot({ path: 'test-results/tour-customer.png' });
  await expectAccessible(desk, 'a step of a tour');

  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await expect(bar(desk)).toContainText('Put something into the cart');
  await bar(desk).getByRole('button', { name: 'Skip' }).click();
  await expect(bar(desk), 'its precondition').toContainText('Not yet: The cart is empty');
  await desk.reload();
  await expect(bar(desk), 'remembered').toContainText('Ask for a discount');
  await putGuji(desk);
  await expect(bar(desk)).not.toContainText('Not yet');

  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('give 5 % off');
  await desk.keyboard.press('Enter');
  await expect(bar(desk), 'whoever did it').toContainText('Submit the order');
  await desk.setViewportSize({ width: 1024, height: 700 });
  await desk.screenshot({ path: 'test-results/tour-small.png' });
  expect(await desk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
  await expect(desk.getByRole('button', { name: /^Submit order/ })).toBeInViewport({ ratio: 1 });
  await desk.keyboard.press('Control+J');
  await desk.setViewportSize({ width: 1440, height: 900 });

  await desk.keyboard.press('F9');
  await desk.getByRole('button', { name: 'Open order' }).click();
  await expect(bar(desk)).toContainText('Leave a note');
  await desk.getByRole('button', { name: 'Add a note' }).click();
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
  await desk.screenshot({ path: 'test-results/tour-steps.png' });
  await expectAccessible(desk, 'the steps of a tour');
  await desk.keyboard.press('Escape');
  await bar(desk).getByRole('button', { name: 'Show me where' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Audit' })).toBeVisible();
  await expect(bar(desk), 'finished').toHaveCount(0);
  await expect(desk.getByText(/^That was it: A tour of the desk/)).toBeVisible();
});

test('a tour is left, and found where it was left', async ({ desk }) => {
  await desk.keyboard.press('Control+K');
  await desk.keyboard.type('Take a tour');
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

/** The file of a shop that takes a while: so many customers, and a mistake where wanted. */
function shopFile(customers: number, more: object = {}): string {
  return JSON.stringify({
    ...{ format: 'deskhand.shop', version: 1 },
    shop: { name: 'Moved Shop', currency: 'EUR', timeZone: 'Europe/Berlin' },
    taxClasses: [{ id: 'standard', name: 'Standard', ratePpm: 190000 }],
    shippingMethods: [{ id: 'post', name: 'Post', price: { amount: 490, currency: 'EUR' }, days: 2 }],
    products: [],
    customers: Array.from({ length: customers }, (_, n) => ({
      ...{ id: `cus_${n}`, name: `Customer ${n}`, email: `c${n}@example.org` },
      addresses: [{ label: 'Home', line1: `${n} Quay`, city: 'Kiel', postalCode: '24103', country: 'DE' }],
      ...(n === customers - 1 ? more : {}),
    })),
  });
}

base.describe('in a folder without a shop', () => {
  base.skip(!process.env.DESKHAND_NEW_URL, 'the folder is the real application’s');
  base.use({ baseURL: process.env.DESKHAND_NEW_URL });

  base('a shop is brought along or not at all, and another is set up step by step', async ({ page }) => {
    base.slow();
    const files = { 'large.json': shopFile(60_000), 'wrong.json': shopFile(10, { phone: 12 }) };
    await withFiles(files, async (path) => {
      await page.goto('/');
      const before = page.getByRole('region', { name: 'A shop you have already' });
      const choose = before.getByRole('button', { name: 'Choose the file of a shop' });
      for (const [width, height] of [
        [1024, 700],
        [1920, 1080],
      ] as const) {
        await page.setViewportSize({ width, height });
        await expect(choose).toBeVisible();
        await page.screenshot({ path: `test-results/first-run-${width}.png` });
      }
      await expectAccessible(page, 'the beginning');
      await choose.click();
      await answerPicker('Choose the file of a shop', path('wrong.json'));
      await expect(before.getByRole('alert')).toContainText('wrong.json was not imported');
      await choose.click();
      await answerPicker('Choose the file of a shop', path('large.json'));
      await expect(before.getByRole('status')).toHaveText(/Importing: [1-9]\d? %/);
      await page.screenshot({ path: 'test-results/first-run-importing.png' });
      await before.getByRole('button', { name: 'Stop the import' }).click();
      await expect(before.getByRole('alert')).toContainText('Stopped: nothing was brought in.');
      await expectAccessible(page, 'an import that was stopped');
      await page.reload();
      await expect(choose, 'nothing half-imported').toBeVisible();
    });

    await page.getByRole('textbox', { name: 'Name of the shop' }).fill('Corner Shop');
    await page.keyboard.press('Enter');
    await expect(bar(page)).toContainText('Set up the shop');
    await page.screenshot({ path: 'test-results/setup-offer.png' });
    await expectAccessible(page, 'the offer to set up the shop');
    await bar(page).getByRole('button', { name: 'Begin' }).click();
    const panel = page.getByRole('tabpanel');
    const save = panel.getByRole('button', { name: /^Save/ });
    const goTo = async (step: string) => {
      await expect(bar(page)).toContainText(step);
      await bar(page).getByRole('button', { name: 'Show me where' }).click();
      await expect(bar(page).getByRole('button', { name: 'Show me where' })).toHaveCount(0);
    };

    await goTo('Name the shop and its money');
    await panel.getByRole('textbox', { name: 'Currency' }).fill('EUR');
    await page.screenshot({ path: 'test-results/setup-shop.png' });
    await expectAccessible(page, 'the first step of setting up');
    await save.click();
    await goTo('Say what tax there is');
    await panel.getByRole('textbox', { name: 'Percent' }).first().fill('19');
    await save.click();
    await goTo('Say how things are sent');
    await panel.getByRole('textbox', { name: 'Price' }).first().fill('4.90');
    await save.click();
    await goTo('Add a first product');
    await page.getByRole('button', { name: 'Add a product' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill('House Blend');
    await dialog.getByRole('textbox', { name: 'Price' }).fill('12.50');
    await dialog.getByRole('button', { name: 'Add the product' }).click();
    await goTo('Say who works here');
    await page.screenshot({ path: 'test-results/setup-person.png' });
    await bar(page).getByRole('button', { name: 'Skip' }).click();
    await expect(bar(page)).toContainText('Set a PIN');
    await bar(page).getByRole('button', { name: 'Skip' }).click();
    await expect(bar(page), 'then the desk is offered').toContainText('A tour of the desk');
    await bar(page).getByRole('button', { name: 'Not now' }).click();
    await expect(bar(page)).toHaveCount(0);
  });
});
