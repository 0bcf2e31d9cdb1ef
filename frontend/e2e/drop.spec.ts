import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { leaveDesk, leaveToOwner, openPage, real, test } from './desk';
import { look } from './look';

test.skip(!real, 'files are read by the real application');

/** The dragged data: files by name and content, or a text. */
interface Held {
  files?: Readonly<Record<string, string>>;
  /** Repeats the content, for a large file. */
  times?: number;
  text?: string;
}

/** Drags data over the window, and drops it with `release`. True when the page kept the browser from opening it. */
async function hold(desk: Page, { files = {}, times = 1, text }: Held, release = false): Promise<boolean> {
  return desk.evaluate(
    ([entries, again, said, events]) => {
      const dataTransfer = new DataTransfer();
      for (const [name, content] of entries) dataTransfer.items.add(new File([content.repeat(again)], name));
      if (said !== undefined) dataTransfer.setData('text/uri-list', said);
      const target = document.querySelector('h1') ?? document.body;
      const kept = events.map((name) => {
        const event = new DragEvent(name, { dataTransfer, bubbles: true, cancelable: true });
        target.dispatchEvent(event);
        return event.defaultPrevented;
      });
      return kept.at(-1) ?? false;
    },
    [Object.entries(files), times, text, release ? ['dragover', 'drop'] : ['dragenter', 'dragover']] as const,
  );
}

/** Drags data to the place and drops it. */
async function drop(desk: Page, held: Held): Promise<void> {
  await hold(desk, held);
  expect(await hold(desk, held, true), 'it is not opened').toBe(true);
}

const overlay = (desk: Page) => desk.getByText('Drop the CSV file to import it');
const notice = (desk: Page) => desk.getByRole('alert').filter({ has: desk.getByRole('button') });
const importing = (desk: Page) => desk.getByRole('dialog', { name: 'Import a file' });

const tea = 'Handle,Title,Variant SKU,Variant Price\nsencha,Sencha from a drop,DROP-1,12.50\n';
const people = 'First Name,Last Name,Email\nSigrún,Þórsdóttir,sigrun@example.org\n';

test('a file dropped on the catalog is looked at, and then imported', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Catalog');
  await hold(desk, { files: { 'tea.csv': tea } });
  await expect(overlay(desk)).toBeVisible();
  await look(desk, 'drop-target');
  await desk.mouse.move(300, 300); // the drag ends elsewhere
  await expect(overlay(desk)).toHaveCount(0);

  await drop(desk, { files: { 'tea.csv': tea } });
  await expect(overlay(desk)).toHaveCount(0);
  const dialog = importing(desk);
  await expect(dialog.getByText('tea.csv would bring 1 new product.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('Sencha from a drop');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await desk.getByRole('searchbox').fill('Sencha from a drop');
  await expect(desk.getByRole('main')).toContainText('No product found'); // a look changes nothing

  await drop(desk, { files: { 'tea.csv': tea } });
  await dialog.getByRole('checkbox', { name: /^The prices in the file are in US/ }).check();
  await dialog.getByRole('button', { name: 'Import all of it' }).click();
  await expect(dialog.getByText('tea.csv brought 1 new product.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await expect(desk.getByRole('row', { name: /Sencha from a drop/ })).toBeVisible();
  const { records } = await invoke<{ records: object[] }>(desk, 'audit.search', { capability: 'shop.importCSV' });
  expect(records[0]).toMatchObject({
    ...{ status: 'success', caller: { type: 'ui', source: 'ImportFile' } },
    arguments: { file: expect.stringMatching(/^file_[0-9a-f]{32}$/), kind: 'products', currency: 'USD' },
  });
});

test('on the counter too, beside the assistant: without a row that cannot be taken', { tag: '@long' }, async ({
  desk,
}) => {
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await drop(desk, { files: { 'people.csv': `${people}Ola,Nord,not an address\n` } });
  const dialog = importing(desk);
  await expect(dialog.getByRole('region', { name: 'Mistakes' }).getByRole('row', { name: /^3 / })).toContainText(
    'not an address',
  );
  await expect(dialog.getByText('1 row cannot be taken.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await drop(desk, { files: { 'people.csv': people } });
  await expect(dialog.getByText('people.csv would bring 1 new customer.')).toBeVisible();
  await expect(dialog.getByRole('region', { name: 'What changes' })).toContainText('Sigrún Þórsdóttir');
  await dialog.getByRole('button', { name: 'Cancel' }).click();

  await drop(desk, { files: { 'people.csv': `${people}Ola,Nord,not an address\n` } });
  await dialog.getByRole('button', { name: 'Import the other rows' }).click();
  await expect(dialog.getByText('people.csv brought 1 new customer.')).toBeVisible();
  await expect(dialog.getByText('1 row was left out.')).toBeVisible();
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await desk.keyboard.press('Control+J');
});

test('a file that does not say what is in it is asked about', { tag: '@long' }, async ({ desk }) => {
  await drop(desk, { files: { 'list.csv': 'Handle,Title\nsencha,Sencha\n' } });
  const dialog = importing(desk);
  await expect(dialog).toContainText('The header of list.csv does not say what is in it.');
  const lookAtIt = dialog.getByRole('button', { name: 'Look what would change' });
  await expect(lookAtIt).toHaveAccessibleDescription('Say first what is in it.');
  await look(desk, 'drop-asked');
  await dialog.getByText('Products', { exact: true }).click();
  await lookAtIt.click();
  await expect(dialog.getByRole('region', { name: 'Mistakes' })).toContainText('is this a product export?');
  await dialog.getByText('Customers', { exact: true }).click();
  await lookAtIt.click();
  await expect(dialog.getByRole('region', { name: 'Mistakes' })).toContainText('is this a customer export?');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

test('anything else is refused in words, and nothing is opened', { tag: '@long' }, async ({ desk }) => {
  const address = desk.url();
  for (const [held, words] of [
    [
      { files: { 'people.xlsx': 'PK' } },
      'Only a CSV file can be dropped here: an export of products, customers or orders.',
    ],
    [
      { text: 'https://example.org/' },
      'Only a CSV file can be dropped here: an export of products, customers or orders.',
    ],
    [{ files: { 'a.csv': people, 'b.csv': tea } }, 'Drop one file at a time.'],
    [{ files: { 'large.csv': 'x' }, times: 16 * 2 ** 20 + 1 }, 'large.csv is larger than 16 MB.'],
  ] as const) {
    await drop(desk, held);
    await expect(notice(desk)).toHaveCount(1);
    await expect(notice(desk)).toContainText(words);
    await expect(importing(desk)).toHaveCount(0);
  }
  await desk.keyboard.press('F1');
  await expect(desk.getByRole('dialog', { name: 'Keys' })).toBeVisible();
  await drop(desk, { files: { 'people.csv': people } });
  await expect(notice(desk)).toContainText('Close the dialog first, then drop the file again.');
  await expect(importing(desk)).toHaveCount(0);
  await desk.keyboard.press('Escape');
  expect(desk.url()).toBe(address);
});

test.describe('somebody who may not import', () => {
  test.afterEach(({ desk }) => leaveToOwner(desk));

  test('is told what the button would say', { tag: '@long' }, async ({ desk }) => {
    await leaveDesk(desk);
    await drop(desk, { files: { 'people.csv': people } }); // no person has signed in: the drop is ignored
    await desk.getByRole('list', { name: 'People' }).getByRole('button', { name: 'June Park' }).click();
    await openPage(desk, 'Customers');
    const button = desk.getByRole('button', { name: 'Import a file' });
    await expect(button).toHaveAccessibleDescription('You may not do this.');
    await expect(importing(desk)).toHaveCount(0);
    await hold(desk, { files: { 'people.csv': people } });
    await expect(desk.getByText('You may not do this.').last()).toBeVisible();
    await drop(desk, { files: { 'people.csv': people } });
    await expect(notice(desk)).toContainText('You may not do this.');
    await expect(importing(desk)).toHaveCount(0);
  });
});
