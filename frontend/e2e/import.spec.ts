import { expect } from '@playwright/test';
import { expectAccessible, inTheme } from './axe';
import { openPage, real, test, typeText } from './desk';
import { withFiles } from './files';
import { look } from './look';
import { answerPicker } from './picker';

test.skip(!real, 'files are read by the real application');

const people = [
  ['First Name', 'Last Name', 'Email', 'Default Address Address1', 'Default Address City', 'Default Address Zip'],
  ['Oona', 'Mäkinen-Featherstonehaugh of the Outer Hebrides', 'oona@example.org', '4 Quay', 'Boston', '02110'],
  ['Per', 'Lund', 'per@example.org', '', '', ''],
];
const csv = (rows: string[][]) => `${rows.map((row) => row.join(',')).join('\n')}\n`;

const orderHead = [
  ...['Name', 'Email', 'Financial Status', 'Fulfillment Status', 'Currency', 'Subtotal', 'Shipping', 'Taxes', 'Total'],
  ...['Created at', 'Lineitem quantity', 'Lineitem name', 'Lineitem price', 'Lineitem sku', 'Shipping Name'],
  ...['Shipping Address1', 'Shipping City', 'Shipping Zip', 'Shipping Country', 'Payment Method'],
];
const order = (number: string, total: string, quantity: string) => [
  ...[number, 'oona@example.org', 'paid', 'fulfilled', 'USD', '40.00', '5.00', '0.00', total],
  ...['2025-03-08 12:00:00 -0500', quantity, 'Guji Natural - 250 g / Whole bean', '20.00', 'NL-GUJ-250-WB', 'Oona'],
  ...['4 Quay', 'Boston', '02110', 'US', 'Shopify Payments'],
];

test('customers and then their orders come from a file, once every line is right', { tag: '@long' }, async ({
  desk,
}) => {
  const files = {
    'people.csv': csv(people),
    'orders-wrong.csv': csv([orderHead, order('#9101', '45.00', 'two'), order('#9102', '99.00', '2')]),
    'orders.csv': csv([orderHead, order('#9101', '45.00', '2')]),
  };
  await withFiles(files, async (path) => {
    await inTheme(desk, 'light');
    await openPage(desk, 'Customers');
    await desk.getByRole('button', { name: 'Import a file' }).click();
    const dialog = desk.getByRole('dialog');
    await expect(dialog.getByRole('radio', { name: 'Customers' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    await answerPicker(desk, 'Choose a CSV file', path('people.csv'));
    await expect(dialog.getByText('people.csv would bring 2 new customers.')).toBeVisible();
    await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('Oona Mäkinen');
    await desk.screenshot({ path: 'test-results/import-customers.png' });
    await expectAccessible(desk, 'customers that would be imported');
    await dialog.getByRole('button', { name: 'Import all of it' }).click();
    await expect(dialog.getByText('people.csv brought 2 new customers.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await desk.getByRole('searchbox').fill('Outer Hebrides');
    await expect(desk.getByRole('row', { name: /Oona/ })).toBeVisible();

    await openPage(desk, 'Orders');
    await desk.getByRole('button', { name: 'Import a file' }).click();
    await expect(dialog.getByRole('radio', { name: 'Orders' })).toBeChecked();
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    await answerPicker(desk, 'Choose a CSV file', path('orders-wrong.csv'));
    const mistakes = dialog.getByRole('region', { name: 'Mistakes' });
    await expect(mistakes.getByRole('row', { name: /^2 / })).toContainText('two');
    await expect(mistakes.getByRole('row', { name: /^3 / })).toContainText('99');
    await desk.screenshot({ path: 'test-results/import-orders-mistakes.png' });
    await expectAccessible(desk, 'mistakes in a file of orders');
    await dialog.getByRole('button', { name: 'Choose another file' }).click();
    await answerPicker(desk, 'Choose a CSV file', path('orders.csv'));
    await expect(dialog.getByText('orders.csv would bring 1 new order.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Import all of it' }).click();
    await expect(dialog.getByText('orders.csv brought 1 new order.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await desk.getByRole('searchbox').fill('#9101');
    await desk.getByRole('row', { name: /#W0009101/ }).click();
    await expect(desk.getByRole('region', { name: 'Order' })).toContainText('Outer Hebrides');
  });
});

test('pictures of a folder are shown with their products before they are added', { tag: '@long' }, async ({ desk }) => {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  );
  await withFiles({ 'nl-guj-250-wb.png': pixel, 'holiday.png': pixel }, async (path) => {
    await openPage(desk, 'Catalog');
    await desk.getByRole('button', { name: 'Import a file' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Pictures of products' }).click();
    await dialog.getByRole('button', { name: 'Choose a folder' }).click();
    await answerPicker(desk, 'Choose a folder of pictures', path('.'));
    const matched = dialog.getByRole('region', { name: 'Which picture is of which product' });
    await expect(matched.getByRole('row', { name: /Guji Natural.* nl-guj-250-wb\.png/ })).toBeVisible();
    await expect(dialog).toContainText('Of no product (1): holiday.png');
    await look(desk, 'import-pictures');
    await dialog.getByRole('button', { name: 'Add 1 picture' }).click();
    await expect(dialog.getByRole('status')).toContainText('1 product has a picture of');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await desk.getByRole('searchbox').click();
    await typeText(desk, 'guji natural');
    await expect(desk.getByRole('row', { name: /Guji Natural/ }).locator('img')).toBeVisible();
  });
});

test('what a list shows is written to a file, narrowed as it is', { tag: '@long' }, async ({ desk }) => {
  for (const [page, text, file] of [
    ['Customers', 'Ana Ruiz', /^1 customer written to .*customers-.*\.csv$/],
    ['Orders', 'Ana Ruiz', /^\d+ orders? written to .*orders-.*\.csv$/],
    ['Catalog', 'Guji Natural', /^\d+ variants written to .*products-.*\.csv$/],
  ] as const) {
    await openPage(desk, page);
    await desk.getByRole('searchbox').fill(text);
    await expect(desk.getByRole('grid').getByRole('row').first()).toContainText(text);
    await desk.getByRole('button', { name: 'Export' }).click();
    await desk.getByRole('menuitem', { name: /CSV/ }).click();
    await expect(desk.getByRole('status').filter({ hasText: 'written to' })).toHaveText(file);
    await desk.screenshot({ path: `test-results/export-${page.toLowerCase()}.png` });
    await expectAccessible(desk, `${page} written to a file`);
    await desk.getByRole('button', { name: 'Dismiss' }).click();
    await desk.getByRole('searchbox').fill('');
  }
  await desk.setViewportSize({ width: 1024, height: 700 });
  await openPage(desk, 'Orders');
  await desk.screenshot({ path: 'test-results/orders-small.png' });
  expect(await desk.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0);
});
