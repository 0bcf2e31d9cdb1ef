import { expect, type Page, test } from '@playwright/test';
import { log } from './bridge';
import { openPage, typeText } from './desk';
import { withFiles } from './files';
import { addressOf, kinds, withLocal } from './localServer';
import { look } from './look';
import { answerPicker } from './picker';

/* The beginning, in a folder without a shop: build/flows.sh opens the application on two of them. */

const { DESKHAND_NEW_URL: fresh, DESKHAND_MOVED_URL: moved } = process.env;

test.skip(!fresh || !moved, 'the folders are the real application’s');

const bar = (page: Page) => page.getByRole('region', { name: 'Tour' });

/** A file of many customers, which takes a while to import; with a mistake if asked for. */
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

test('a shop is brought along or not at all, and another is set up step by step', ({ page }) =>
  withLocal(kinds.Ollama, addressOf('Ollama', process.env.DESKHAND_FIRST_MODELS), () => setUp(page)));

async function setUp(page: Page): Promise<void> {
  const files = { 'large.json': shopFile(60_000), 'wrong.json': shopFile(10, { phone: 12 }) };
  await withFiles(files, async (path) => {
    await page.goto(fresh ?? '/');
    const before = page.getByRole('region', { name: 'A shop you have already' });
    const choose = before.getByRole('button', { name: 'Choose the file of a shop' });
    await expect(choose).toBeVisible();
    await look(page, 'first-run');
    await choose.click();
    await answerPicker(page, 'Choose the file of a shop', path('wrong.json'));
    await expect(before.getByRole('alert')).toContainText('wrong.json was not imported');
    await look(page, 'first-run-refused');
    await choose.click();
    await answerPicker(page, 'Choose the file of a shop', path('large.json'));
    await expect(before.getByRole('status')).toHaveText(/Importing: [1-9]\d? %/);
    await before.getByRole('button', { name: 'Stop the import' }).click();
    await expect(before.getByRole('alert')).toContainText('Stopped: nothing was brought in.');
    await look(page, 'first-run-stopped');
    await page.reload();
    await expect(choose, 'nothing half-imported').toBeVisible();
  });

  const country = page.getByRole('combobox', { name: 'Country of the shop' });
  await country.click();
  await typeText(page, 'germ');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue('Euro (EUR)');
  await expect(page.getByRole('combobox', { name: 'Time zone' })).toHaveValue('Europe / Berlin');
  await expect(page.getByRole('textbox', { name: 'Tax in percent' })).toHaveValue('19');
  await expect(page.getByRole('checkbox', { name: 'Prices include the tax' })).toBeChecked();
  await look(page, 'first-run-country');
  await page.getByRole('combobox', { name: 'Who answers in the chat' }).selectOption('qwen3:8b in Ollama');
  await page.getByRole('textbox', { name: 'Name of the shop' }).click();
  await typeText(page, 'Corner Shop');
  await page.keyboard.press('Enter');
  await expect(bar(page)).toContainText('Set up the shop');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await expect(page.getByText('Nothing was sold yet')).toBeVisible();
  await look(page, 'today-nothing');
  await openPage(page, 'Counter');
  await look(page, 'setup-offer');
  await bar(page).getByRole('button', { name: 'Begin' }).click();
  const panel = page.getByRole('tabpanel');
  const save = panel.getByRole('button', { name: /^Save/ });
  const goTo = async (step: string) => {
    await expect(bar(page)).toContainText(step);
    await bar(page).getByRole('button', { name: 'Show me where' }).click();
    await expect(bar(page).getByRole('button', { name: 'Show me where' })).toHaveCount(0);
  };

  await goTo('Fill in what receipts say');
  await expect(panel.getByRole('combobox', { name: 'Currency' })).toHaveValue('Euro (EUR)');
  await expect(panel.getByRole('combobox', { name: 'Country' })).toHaveValue('Germany (DE)');
  await panel.getByRole('textbox', { name: 'Address' }).click();
  await typeText(page, '1 Quay');
  await look(page, 'setup-shop');
  await save.click();
  await goTo('Say what tax there is');
  await panel.getByRole('textbox', { name: 'Percent' }).first().fill('7');
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
  await look(page, 'setup-person');
  await bar(page).getByRole('button', { name: 'Skip' }).click();
  await expect(bar(page)).toContainText('Set a PIN');
  await bar(page).getByRole('button', { name: 'Skip' }).click();
  await expect(bar(page), 'then the desk is offered').toContainText('A tour of the desk');
  await bar(page).getByRole('button', { name: 'Not now' }).click();
  await expect(bar(page)).toHaveCount(0);
  await page.keyboard.press('Control+J');
  await typeText(page, 'What does the Guji cost?');
  await page.keyboard.press('Enter');
  await expect(log(page), 'the model that was chosen answers').toContainText('It is $14.00.');
}

test('the shop of a file is there when the import is over', { tag: '@long' }, async ({ page }) => {
  await withFiles({ 'shop.json': shopFile(300) }, async (path) => {
    await page.goto(moved ?? '/');
    await page.getByRole('button', { name: 'Choose the file of a shop' }).click();
    await answerPicker(page, 'Choose the file of a shop', path('shop.json'));
    await expect(page.getByRole('banner')).toContainText('Moved Shop');
    await openPage(page, 'Customers');
    await page.getByRole('searchbox').fill('Customer 299');
    await expect(page.getByRole('row', { name: /c299@example.org/ })).toBeVisible();
  });
});
