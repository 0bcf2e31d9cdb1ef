import { expect, type Page } from '@playwright/test';
import { chooseCustomer, openPage, real, test, typeText } from './desk';
import { look } from './look';

test.skip(!real, 'customers are the real shop’s');

const customers = (page: Page) => page.getByRole('grid', { name: 'Customers' }).getByRole('row');
const part = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

async function openCustomer(desk: Page, name: string): Promise<void> {
  await openPage(desk, 'Customers');
  await desk.keyboard.press('/');
  await typeText(desk, name);
  await expect(customers(desk)).toHaveCount(1);
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible();
}

test('a customer is added, changed and erased', { tag: '@long' }, async ({ desk }) => {
  const name = 'Wilhelmina Featherstonehaugh-Cholmondeley of Ashby-de-la-Zouch';
  await openPage(desk, 'Customers');
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
  await expect(dialog.getByRole('button', { name: /^Add the customer/ })).toHaveAccessibleDescription('Fill in: Name.');
  await typeText(desk, name);
  await dialog.getByRole('textbox', { name: 'Email' }).fill('not an address');
  await desk.keyboard.press('Enter');
  await expect(dialog.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription('Must be an e-mail address');
  await expect(dialog.getByRole('textbox', { name: 'Email' })).toBeFocused();
  await expect(dialog.getByRole('alert')).toHaveCount(0);
  await look(desk, 'customer-new');
  await dialog.getByRole('textbox', { name: 'Email' }).fill('wilhelmina@example.org');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name })).toBeVisible();

  await desk.getByRole('button', { name: 'Change contact' }).click();
  await dialog.getByRole('textbox', { name: 'Phone' }).fill('+44 20 7946 0000');
  await desk.keyboard.press('Enter');
  await expect(dialog).toHaveCount(0);
  await expect(part(desk, 'Contact')).toContainText('+44 20 7946 0000');

  for (const [label, street] of [
    ['Home', '1 Oak Ave'],
    ['Work', '900 Industrial Way, Suite 40'],
  ] as const) {
    await desk.getByRole('button', { name: 'Add an address', exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Label' }).fill(label);
    await dialog.getByRole('textbox', { name: 'Street', exact: true }).fill(street);
    await dialog.getByRole('textbox', { name: 'City' }).fill('Portland');
    await dialog.getByRole('textbox', { name: 'Postal code' }).fill('97201');
    const country = dialog.getByRole('combobox', { name: 'Country' });
    await expect(country).toHaveValue('United States (US)');
    if (label === 'Home') await look(desk, 'customer-address');
    else {
      await country.click();
      await typeText(desk, 'canad');
      await desk.keyboard.press('Enter');
      await expect(country).toHaveValue('Canada (CA)');
    }
    await dialog.getByRole('button', { name: 'Add the address' }).click();
    await expect(dialog).toHaveCount(0);
  }
  const addresses = part(desk, 'Addresses').getByRole('listitem');
  await expect(addresses.filter({ hasText: 'Default' })).toContainText('Home');
  await desk.getByRole('button', { name: 'Make Work the default' }).click();
  await expect(addresses.filter({ hasText: 'Default' })).toContainText('Work');
  await desk.getByRole('button', { name: 'Change Home' }).click();
  await dialog.getByRole('textbox', { name: 'Street', exact: true }).fill('2 Oak Ave');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(addresses.filter({ hasText: 'Home' })).toContainText('2 Oak Ave');
  await desk.getByRole('button', { name: 'Remove Home' }).click();
  await expect(dialog.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await dialog.getByRole('button', { name: 'Remove the address' }).click();
  await expect(addresses).toHaveCount(1);

  await desk.getByRole('button', { name: 'Add a note' }).click();
  await typeText(desk, 'Rings twice.');
  await look(desk, 'customer-note');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(part(desk, 'Notes')).toContainText('Rings twice.');
  await expect(part(desk, 'Notes')).toContainText('Mara Lindqvist');
  await openPage(desk, 'Counter');
  await chooseCustomer(desk, name);
  await expect(desk.getByRole('list', { name: 'Notes' })).toContainText('Rings twice.');
  await look(desk, 'customer-note-counter');
  await openCustomer(desk, name);

  await desk.getByRole('button', { name: 'Add a payment method', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Brand' }).fill('Visa');
  await dialog.getByRole('textbox', { name: 'Last four digits' }).fill('4242');
  await dialog.getByRole('button', { name: 'Add the payment method' }).click();
  await expect(part(desk, 'Payment methods')).toContainText('Visa ending 4242');
  await desk.getByRole('button', { name: 'Add a payment method', exact: true }).click();
  await dialog.getByRole('combobox', { name: 'Kind' }).click();
  await desk.getByRole('option', { name: 'Gift card' }).click();
  await dialog.getByRole('textbox', { name: 'Balance' }).fill('25.50');
  await look(desk, 'customer-method');
  await dialog.getByRole('button', { name: 'Add the payment method' }).click();
  await expect(part(desk, 'Payment methods')).toContainText('$25.50 left');
  await desk.getByRole('button', { name: 'Remove Visa ending 4242' }).click();
  await dialog.getByRole('button', { name: 'Remove the payment method' }).click();
  await expect(part(desk, 'Payment methods')).not.toContainText('Visa');
  await look(desk, 'customer-changed');

  await desk.getByRole('button', { name: 'More' }).click();
  await desk.getByRole('menuitem', { name: /^Erase/ }).click();
  await expect(dialog.getByRole('button', { name: 'Keep the customer' })).toBeFocused();
  await look(desk, 'customer-erase');
  await dialog.getByRole('button', { name: 'Erase for good' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Customers' })).toBeVisible();
  await desk.getByRole('searchbox', { name: 'Search customers' }).fill('Wilhelmina Feather');
  await expect(desk.getByText('No customer found')).toBeVisible();
  await look(desk, 'customers-none');
  await desk.getByRole('button', { name: 'Show all customers' }).click();
  await expect(customers(desk).first()).toBeVisible();
});

test('customers are found and shown to everybody', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Customers');
  await expect(customers(desk).first()).toBeVisible();
  await look(desk, 'customers');
  await openCustomer(desk, 'Ana Ruiz');
  await expect(part(desk, 'Orders').getByRole('grid').getByRole('row').first()).toContainText('$');
  await look(desk, 'customer');

  await part(desk, 'Orders').getByRole('grid').getByRole('row').first().click();
  await expect(desk.getByRole('heading', { level: 1, name: /Order #W/ })).toBeVisible();
  await openCustomer(desk, 'Ana Ruiz');
  await desk.getByRole('button', { name: 'More' }).click();
  await expect(desk.getByRole('menuitem', { name: /^Erase/ })).toBeVisible();
  await look(desk, 'customer-more');
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'New order' }).click();
  await expect(desk.getByRole('region', { name: 'Cart' })).toContainText('Ana Ruiz');
});

test('two records of one person become one, and two again', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Customers');
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  await typeText(desk, 'Theo Nakamora');
  await desk.keyboard.press('Tab');
  await typeText(desk, 'theo@old.example.org');
  await desk.getByRole('button', { name: 'Add the customer' }).click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Theo Nakamora' })).toBeVisible();
  await openCustomer(desk, 'Theo Nakamura');
  await desk.getByRole('button', { name: 'More' }).click();
  await desk.getByRole('menuitem', { name: /^Merge/ }).click();
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Record that goes away' })).toBeFocused();
  await typeText(desk, 'nakamora');
  await desk.getByRole('option', { name: /Theo Nakamora/ }).click();
  const submit = dialog.getByRole('button', { name: 'Merge the records' });
  await expect(submit).toBeEnabled();
  await look(desk, 'customer-merge');
  await submit.click();
  await expect(dialog).toHaveCount(0);
  await expect(part(desk, 'Notes')).toContainText('Theo Nakamora · theo@old.example.org');
  await look(desk, 'customer-merged');
  await openPage(desk, 'Audit');
  await desk.getByRole('grid').getByRole('row').filter({ hasText: 'Merge the customer' }).first().click();
  await desk.getByRole('main').getByRole('button', { name: 'Undo' }).first().click();
  await expect(desk.getByRole('alert').filter({ hasText: 'Undone' })).toBeVisible();
  await openCustomer(desk, 'Theo Nakamora');
  await expect(part(desk, 'Contact')).toContainText('theo@old.example.org');
});
