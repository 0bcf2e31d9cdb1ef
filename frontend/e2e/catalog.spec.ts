import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { openPage, real, scan, test, typeText } from './desk';
import { look } from './look';
import { answerPicker } from './picker';

test.skip(!real, 'the catalog is the real shop’s');

const products = (page: Page) => page.getByRole('grid', { name: 'Catalog' }).getByRole('row');
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openProduct(desk: Page, name: string): Promise<void> {
  await openPage(desk, 'Catalog');
  await desk.keyboard.press('/');
  await typeText(desk, name);
  await expect(products(desk)).toHaveCount(1);
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a product is added, priced, counted, changed and taken off sale', async ({ desk }) => {
  const name = 'Antigua Los Volcanes, single-estate reserve with an unusually long name for a bag of coffee';
  await openPage(desk, 'Catalog');
  await desk.getByRole('button', { name: 'Add a product' }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await typeText(desk, name);
  await dialog.getByRole('combobox', { name: 'Options' }).fill('Size');
  await desk.keyboard.press('Enter');
  const rows = dialog.getByRole('list', { name: 'Variants' }).getByRole('listitem');
  await dialog.getByRole('button', { name: 'One more variant' }).click();
  await expect(rows).toHaveCount(2);
  for (const [row, size, price, stock] of [
    [0, '250 g', '21.40', '12'],
    [1, '1 kg', '64.00', '4'],
  ] as const) {
    await rows.nth(row).getByRole('textbox', { name: 'Size' }).fill(size);
    await rows.nth(row).getByRole('textbox', { name: 'SKU' }).fill(`ANT-${row}`);
    await rows.nth(row).getByRole('textbox', { name: 'Price' }).fill(price);
    await rows.nth(row).getByRole('textbox', { name: 'In stock' }).fill(stock);
  }
  await look(desk, 'product-new');
  await dialog.getByRole('button', { name: 'Add the product' }).click();
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible();

  const small = part(desk, 'Variants').getByRole('row', { name: /250 g/ });
  await desk.getByRole('button', { name: 'Set the price of 250 g' }).click();
  await dialog.getByRole('textbox', { name: 'New price' }).fill('22');
  await look(desk, 'product-price');
  await desk.keyboard.press('Enter');
  await expect(small).toContainText('$22.00');
  await expect(part(desk, 'Prices').getByRole('row', { name: /250 g/ })).toContainText('$21.40$22.00');

  await desk.getByRole('button', { name: 'Adjust the stock of 250 g' }).click();
  await dialog.getByRole('textbox', { name: 'Pieces more' }).fill('-3');
  await dialog.getByRole('combobox', { name: 'Reason' }).fill('broken');
  await expect(dialog.getByRole('status')).toHaveText('Now 12, then 9.');
  await dialog.getByRole('textbox', { name: 'Pieces more' }).focus(); // so that no list is open
  await look(desk, 'product-stock');
  await dialog.getByRole('button', { name: 'Adjust the stock' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(part(desk, 'Stock').getByRole('row', { name: /broken/ })).toContainText('−3');

  await desk.getByRole('button', { name: 'Change 1 kg' }).click();
  await dialog.getByRole('checkbox', { name: 'For sale' }).uncheck();
  await look(desk, 'product-variant');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(part(desk, 'Variants').getByRole('row', { name: /1 kg/ })).toContainText('Not for sale');
  await desk.getByRole('button', { name: 'Add a variant' }).click();
  await dialog.getByRole('textbox', { name: 'Size' }).fill('5 kg');
  await dialog.getByRole('textbox', { name: 'Price' }).fill('280');
  await dialog.getByRole('button', { name: 'Add the variant' }).click();
  await expect(part(desk, 'Variants')).toContainText('5 kg');

  await desk.getByRole('button', { name: 'Change the product' }).click();
  await dialog.getByRole('textbox', { name: 'Description' }).fill('Cocoa and orange peel.');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(part(desk, 'About it')).toContainText('Cocoa and orange peel.');
  await look(desk, 'product-changed');

  await desk.getByRole('button', { name: 'Take off sale' }).click();
  await look(desk, 'product-archive');
  await dialog.getByRole('button', { name: 'Take it off sale' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('button', { name: /^Take off sale/ })).toHaveAccessibleDescription(/off sale already/);
});

test('a delivery is scanned and typed in by keyboard alone, and is low in stock by its level', {
  tag: '@long',
}, async ({ desk }) => {
  type Found = { products: { variants: { id: string; sku: string; barcode?: string; stock: number }[] }[] };
  const bought = async (query: string) =>
    (await invoke<Found>(desk, 'catalog.search', { query })).products[0]?.variants[0];
  const [guji, mug] = [await bought('guji natural'), await bought('mug')];
  if (!guji || !mug) throw new Error('the sample has coffee and mugs');
  await openPage(desk, 'Catalog');
  await desk.getByRole('button', { name: 'Receive stock' }).focus();
  await desk.keyboard.press('Enter');
  const dialog = desk.getByRole('dialog');
  const search = dialog.getByRole('combobox', { name: 'Product' });
  const rows = dialog.getByRole('list', { name: 'What arrived' }).getByRole('listitem');
  await expect(search).toBeFocused();
  for (const code of [mug.sku, mug.sku]) await scan(desk, code);
  await expect(rows.first().getByRole('textbox', { name: /^Pieces of/ })).toHaveValue('2');
  await expect(rows).toHaveCount(1);
  await typeText(desk, 'guji');
  await expect(desk.getByRole('option', { name: new RegExp(guji.sku) })).toBeVisible();
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  const pieces = rows.nth(1).getByRole('textbox', { name: /^Pieces of Guji/ });
  await expect(pieces).toBeFocused();
  await pieces.fill('12');
  await scan(desk, mug.sku); // into the number of pieces, which stays
  await expect(rows.first().getByRole('textbox', { name: /^Pieces of/ })).toHaveValue('3');
  await expect(pieces).toHaveValue('12');
  await invoke(desk, 'navigation.go', { page: 'orders' }); // as the assistant would
  await expect(desk.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible();
  await expect(dialog).toBeHidden();
  await openPage(desk, 'Catalog');
  await expect(rows, 'the delivery is there again').toHaveCount(2);
  await expect(pieces).toHaveValue('12');
  await pieces.focus();
  await desk.keyboard.press('Tab');
  await typeText(desk, '9.50');
  await desk.keyboard.press('Enter');
  await expect(search).toBeFocused();
  await typeText(desk, 'no such thing');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toHaveText('No product has the code no such thing.');
  await dialog.getByRole('textbox', { name: 'Reference' }).focus();
  await typeText(desk, 'DN 4711');
  await look(desk, 'receive-stock');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect((await bought('mug'))?.stock).toBe(mug.stock + 3);

  await openProduct(desk, 'Guji Natural');
  await expect(part(desk, 'Stock').getByRole('row', { name: /Received · DN 4711/ })).toContainText('+12');
  await desk.getByRole('button', { name: /^Set the reorder level of 250 g, Whole bean/ }).focus();
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Reorder at' })).toBeFocused();
  await typeText(desk, '500');
  await look(desk, 'product-reorder');
  await desk.keyboard.press('Enter');
  await expect(part(desk, 'Variants').getByRole('row', { name: /250 g, Whole bean/ })).toContainText('reorder at 500');
  await openPage(desk, 'Reports');
  await desk.getByRole('tab', { name: 'Low stock' }).click();
  await expect(desk.getByRole('grid', { name: 'Low stock' })).toContainText('left reorder at 500');
  await look(desk, 'report-levels');
});

test('a file is looked at before it is imported, and its mistakes are named by line', { tag: '@long' }, async ({
  desk,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  const good = join(folder, 'spring.csv');
  const bad = join(folder, 'wrong.csv');
  const head = 'Handle,Title,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price\n';
  const more = 'Variant Compare At Price,Cost per item,Variant Grams,Variant Weight Unit,Gift Card,SEO Title\n';
  writeFileSync(
    good,
    `${head.trimEnd()},${more}spring-blend,Spring Blend,Size,250 g,SPR-250,20,17.50,19.90,8.20,280,g,FALSE,Spring\n` +
      'spring-blend,,Size,1 kg,SPR-1,5,52.00,,,1080,kg,,\n',
  );
  writeFileSync(
    bad,
    `${head}ok,Fine,Size,250 g,OK-1,20,17.50\nbad,Bad,Size,250 g,BAD-1,many,17.50\nworse,Worse,Size,1 kg,BAD-2,5,ten\n`,
  );
  try {
    await openPage(desk, 'Catalog');
    await desk.getByRole('button', { name: 'Import a file' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Choose a file' }).click();
    await answerPicker(desk, 'Choose a CSV file', bad);
    const mistakes = dialog.getByRole('region', { name: 'Mistakes' });
    await expect(mistakes.getByRole('row', { name: /^3 / })).toContainText('many');
    await expect(mistakes.getByRole('row', { name: /^4 / })).toContainText('ten');
    await look(desk, 'import-mistakes');

    await dialog.getByRole('button', { name: 'Choose another file' }).click();
    await answerPicker(desk, 'Choose a CSV file', good);
    await expect(dialog.getByText('spring.csv would bring 1 new product.')).toBeVisible();
    await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('Spring Blend');
    await expect(dialog.getByText('Columns that are not imported: Gift Card, SEO Title.')).toBeVisible();
    const all = dialog.getByRole('button', { name: 'Import all of it' });
    await expect(all).toHaveAccessibleDescription(/in which currency/);
    await dialog.getByRole('checkbox', { name: /^The prices in the file are in US/ }).check();
    await look(desk, 'import-preview');
    await dialog.getByRole('button', { name: 'Import all of it' }).click();
    await expect(dialog.getByText('spring.csv brought 1 new product.')).toBeVisible();
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await openProduct(desk, 'Spring Blend');
    await expect(part(desk, 'Variants').getByRole('row', { name: /SPR-250/ })).toContainText(
      '$19.90$17.50cost $8.2020',
    );
    await expect(part(desk, 'Variants').getByRole('row', { name: /SPR-1/ })).toContainText('1.08 kg');
    await look(desk, 'product-imported');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a product has a picture, in the catalog and on its page, until it is removed', { tag: '@long' }, async ({
  desk,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  const [picture, text] = [join(folder, 'bag.png'), join(folder, 'words.png')];
  writeFileSync(picture, await desk.screenshot());
  writeFileSync(text, 'no picture');
  try {
    await openProduct(desk, 'Guji Natural');
    const part = desk.getByRole('region', { name: 'Picture', exact: true });
    const shown = part.getByRole('img', { name: 'Picture of Guji Natural' });
    await expect(shown, 'the one of the sample shop').toBeVisible();
    await part.getByRole('button', { name: 'Remove the picture' }).click();
    await expect(shown).toHaveCount(0);
    await part.getByRole('button', { name: 'Choose a picture' }).focus();
    await desk.keyboard.press('Enter');
    await answerPicker(desk, 'Choose a picture', text);
    await expect(part.getByRole('alert')).toContainText('cannot be used as a picture');
    await part.getByRole('button', { name: 'Choose a picture' }).click();
    await answerPicker(desk, 'Choose a picture', picture);
    await expect(shown).toBeVisible();
    expect(await shown.evaluate((img: HTMLImageElement) => img.naturalWidth)).toBe(640);
    await look(desk, 'product-picture');
    await desk.getByRole('button', { name: 'All products' }).click();
    const small = products(desk).filter({ hasText: 'Guji Natural' }).locator('img');
    await expect(small).toHaveJSProperty('naturalWidth', 96);
    await look(desk, 'catalog-picture');
    await openProduct(desk, 'Guji Natural');
    await part.getByRole('button', { name: 'Remove the picture' }).click();
    await expect(shown).toHaveCount(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('products are found and shown to everybody', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Catalog');
  await expect(products(desk).first()).toBeVisible();
  await look(desk, 'catalog');
  await openProduct(desk, 'Guji Natural');
  await look(desk, 'product');
  await desk.getByRole('searchbox').waitFor({ state: 'detached' });
});
