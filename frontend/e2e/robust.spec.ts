import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { card, idOfAna, invoke, log, placeOrder, say } from './bridge';
import { chooseCustomer, emptyCart, openPage, putGuji, real, seldom, test } from './desk';
import { look } from './look';

type Answer = (json: string) => Promise<string>;

/** Replaces the application's answers to one capability until the returned function is called. */
async function answering(desk: Page, capability: string, answer: object): Promise<() => Promise<void>> {
  await desk.evaluate(
    ([name, instead]) => {
      const app = (window as unknown as { go: { main: { App: { Invoke: Answer } } } }).go.main.App;
      const was = app.Invoke.bind(app);
      app.Invoke = (json) => (JSON.parse(json).capability === name ? Promise.resolve(instead) : was(json));
      Object.assign(window, { mend: () => Object.assign(app, { Invoke: was }) });
    },
    [capability, JSON.stringify(answer)] as const,
  );
  return () => desk.evaluate(() => (window as unknown as { mend: () => void }).mend());
}

test('a page that fails leaves the rest of the desk standing', { tag: '@long' }, async ({ page }) => {
  await page.goto('/');
  await openPage(page, 'Counter');
  const mend = await answering(page, 'report.sales', { status: 'success', request_id: 'r', data: { total: 5 } });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Reports' }).click();
  const failed = page.getByRole('alert', { name: 'This page failed' });
  await expect(failed).toBeVisible();
  await expect(failed).toContainText('page reports');
  await look(page, 'page-failed');
  await page.keyboard.press('Control+J');
  await expect(page.getByRole('region', { name: 'Conversation' })).toBeVisible();
  await page.keyboard.press('Control+J');
  await failed.getByRole('button', { name: 'Open the counter' }).click();
  await expect(page.getByRole('combobox', { name: 'Search products' })).toBeVisible();
  await mend();
});

test('a full disk is said, and the same is done once there is room', async ({ desk }) => {
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  const mend = await answering(desk, 'cart.addItem', {
    ...{ status: 'error', request_id: 'r', code: 'TRANSIENT', reason: 'journal', retryable: true },
    ...{ message: 'The disk is full: nothing was changed.', recovery_hint: 'Make room on it, then try again.' },
  });
  await desk.getByRole('combobox', { name: 'Search products' }).fill('guji');
  const row = desk.getByRole('grid', { name: 'Products found' }).getByRole('row', { name: /Guji/ }).first();
  await row.click();
  const notice = desk.getByRole('alert').filter({ has: desk.getByRole('button', { name: 'Try again' }) });
  await expect(notice).toContainText('The disk is full: nothing was changed.');
  await look(desk, 'disk-full');
  await expect(notice).toContainText('The disk is full: nothing was changed.');
  await mend();
  await notice.getByRole('button', { name: 'Try again' }).click();
  await expect(desk.getByRole('list', { name: 'In the cart' })).toContainText('Guji');
  await expect(notice).toHaveCount(0);
  await emptyCart(desk);
});

test('the window loaded anew is where it was, with what was begun', async ({ desk }) => {
  await openPage(desk, 'Customers');
  await desk.keyboard.press('Control+J');
  await desk.getByRole('textbox', { name: 'Message to the assistant' }).fill('add two bags of');
  await desk.keyboard.press('Control+K');
  await desk.getByRole('combobox', { name: 'Find pages, records, settings, actions' }).fill('customer.create');
  await desk.keyboard.press('Enter');
  const form = desk.getByRole('dialog');
  await form.getByRole('textbox', { name: 'Name' }).first().fill('Half a na');
  await desk.reload();
  await expect(form.getByRole('textbox', { name: 'Name' }).first()).toHaveValue('Half a na');
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('heading', { level: 1, name: 'Customers' })).toBeAttached();
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toHaveValue('add two bags of');
});

test('a dialog is there with what was typed, until it is left', { tag: '@long' }, async ({ desk }) => {
  await openPage(desk, 'Customers');
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  const dialog = desk.getByRole('dialog', { name: 'Add a customer' });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Half a na');
  await dialog.getByRole('checkbox', { name: 'With an address' }).check();
  await dialog.getByRole('textbox', { name: 'City' }).fill('Reykjav');
  await desk.reload();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('Half a na');
  await expect(dialog.getByRole('textbox', { name: 'City' })).toHaveValue('Reykjav');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await desk.reload();
  await expect(desk.getByRole('button', { name: 'Add a customer' })).toBeVisible();
  await expect(dialog).toHaveCount(0);
  await desk.getByRole('button', { name: 'Add a customer' }).click();
  await expect(dialog.getByRole('textbox', { name: 'Name' })).toHaveValue('');
  await desk.keyboard.press('Escape');
});

test('a note and an address outlive the page, a card’s digits do not', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'the customer is the real shop’s');
  const order = await placeOrder(desk);
  await invoke(desk, 'navigation.go', { page: 'orders', id: order });
  await seldom(desk, 'Add a note');
  const note = desk.getByRole('dialog').getByRole('textbox', { name: 'Note' });
  await note.fill('Rings twice, and the neighbour');
  await desk.reload();
  await expect(note).toHaveValue('Rings twice, and the neighbour');
  await note.press('End');
  await note.pressSequentially(' knows.');
  await desk.getByRole('button', { name: 'Add the note' }).click();
  await expect(desk.getByRole('main')).toContainText('Rings twice, and the neighbour knows.');
  await desk.reload();
  await expect(desk.getByRole('main')).toContainText('Rings twice, and the neighbour knows.');
  await expect(desk.getByRole('dialog')).toHaveCount(0);

  await invoke(desk, 'navigation.go', { page: 'customers', id: await idOfAna(desk) });
  await desk.getByRole('button', { name: 'Change Home' }).click();
  const address = desk.getByRole('dialog', { name: 'Change address' });
  await address.getByRole('textbox', { name: 'City' }).fill('Portla');
  await desk.reload();
  await expect(address.getByRole('textbox', { name: 'City' })).toHaveValue('Portla');
  await desk.keyboard.press('Escape');
  await expect(address).toHaveCount(0);

  await desk.getByRole('button', { name: 'Add a payment method' }).click();
  const method = desk.getByRole('dialog', { name: 'Add a payment method' });
  await method.getByRole('textbox', { name: 'Brand' }).fill('Visa');
  await method.getByRole('textbox', { name: 'Last four digits' }).fill('4711');
  expect(await desk.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('4711');
  await desk.reload();
  await expect(method.getByRole('textbox', { name: 'Brand' })).toHaveValue('Visa');
  await expect(method.getByRole('textbox', { name: 'Last four digits' })).toHaveValue('');
  await desk.keyboard.press('Escape');
});

test('what was sent before a reload is not done twice', async ({ desk }) => {
  test.skip(!real, 'the order is the real shop’s');
  const order = await placeOrder(desk);
  await invoke(desk, 'navigation.go', { page: 'orders', id: order });
  await seldom(desk, 'Add a note');
  const dialog = desk.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Sent once');
  await desk.evaluate(() => {
    const { App } = (window as unknown as { go: { main: { App: { Invoke: Answer } } } }).go.main;
    const was = App.Invoke.bind(App);
    const isNote = (json: string) => JSON.parse(json).capability === 'order.addNote';
    App.Invoke = async (json) => {
      const answer = await was(json);
      if (isNote(json)) await new Promise(() => Object.assign(window, { unanswered: true }));
      return answer;
    };
  });
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await desk.waitForFunction(() => 'unanswered' in window);
  await desk.reload();
  await expect(dialog.getByRole('textbox', { name: 'Note' })).toHaveValue('Sent once');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog).toHaveCount(0);
  const { notes } = await invoke<{ notes: { text: string }[] }>(desk, 'order.get', { orderId: order });
  expect(notes.map(({ text }) => text)).toEqual(['Sent once']);
  await seldom(desk, 'Add a note');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('Sent once');
  await dialog.getByRole('button', { name: 'Add the note' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('main').getByText('Sent once', { exact: false })).not.toHaveCount(0);
  const after = await invoke<{ notes: unknown[] }>(desk, 'order.get', { orderId: order });
  expect(after.notes, 'the same again is another intention').toHaveLength(2);
});

test('what is typed of a model outlives the page, its key does not', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'the settings are the real shop’s');
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const panel = desk.getByRole('tabpanel');
  await panel.getByRole('combobox', { name: 'Assistant' }).click();
  await desk.getByRole('option', { name: 'Another one' }).click();
  const address = panel.getByRole('textbox', { name: 'Address' });
  const key = panel.getByLabel('Key', { exact: true });
  await address.fill('https://models.example.com/v1');
  await key.fill('sk-nowhere');
  await address.press('End');
  await address.pressSequentially('/x');
  await expect(key, 'the rest may change').toHaveValue('sk-nowhere');
  expect(await desk.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('sk-nowhere');
  await desk.reload();
  await expect(address).toHaveValue('https://models.example.com/v1/x');
  await expect(key).toHaveValue('');
  await desk.getByRole('tab', { name: 'Appearance' }).click();
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  await expect(address, 'the form that was begun is there again').toHaveValue('https://models.example.com/v1/x');
});

test('? opens the keys, but not where something is typed', { tag: '@long' }, async ({ desk }) => {
  await desk.getByRole('combobox', { name: 'Search products' }).press('?');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await openPage(desk, 'Reports');
  await desk.keyboard.press('?');
  await expect(desk.getByRole('dialog', { name: 'Keys' })).toContainText('where nothing is being typed');
  await expectAccessible(desk, 'the keys');
});

test('a question and its conversation outlive the page', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'the application in memory forgets its cards with the page');
  await chooseCustomer(desk, 'Ana Ruiz');
  await emptyCart(desk);
  await putGuji(desk);
  await say(desk, 'Submit my order to my home address.');
  await expect(card(desk)).toContainText('Ana Ruiz');
  await desk.reload();
  await expect(log(desk)).toContainText('Submit my order to my home address.');
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(card(desk)).toHaveCount(0);
  await expect(log(desk).getByRole('article', { name: 'Submit the order: declined' })).toBeVisible();
});

test('the bell tells what was done, and takes it back', { tag: '@long' }, async ({ desk }) => {
  test.skip(!real, 'what is taken back is the real shop’s');
  await openPage(desk, 'Customers');
  const ana = await idOfAna(desk);
  const { phone } = await invoke<{ phone?: string }>(desk, 'customer.get', { customerId: ana });
  await invoke(desk, 'customer.update', { customerId: ana, phone: '+1 555 0199' });
  const notice = desk.getByRole('region', { name: 'Just done' });
  await expect(notice).toContainText('done.');
  await look(desk, 'just-done');
  await desk.getByRole('button', { name: /^Activity/ }).click();
  const activity = desk.getByRole('dialog', { name: 'Activity' });
  const list = activity.getByRole('list', { name: 'What was done lately' });
  await expect(list.getByRole('listitem').first()).toContainText('Mara Lindqvist');
  await look(desk, 'activity');
  await list
    .getByRole('button', { name: /^Undo: / })
    .first()
    .click();
  await expect(list).toContainText('Undone');
  await expect
    .poll(async () => (await invoke<{ phone?: string }>(desk, 'customer.get', { customerId: ana })).phone)
    .toBe(phone);
});

test('of Wails the page has the methods of the application and nothing else', async ({ desk }) => {
  test.skip(!real, 'there is no Wails around the application in memory');
  const sent: string[] = [];
  desk.on('websocket', (socket) => socket.on('framesent', ({ payload }) => sent.push(String(payload))));
  await desk.reload();
  await openPage(desk, 'Orders');
  const left = await desk.evaluate(() => {
    const wails = window as unknown as { runtime?: object; WailsInvoke: (message: string) => void };
    wails.WailsInvoke('BO:https://example.com/what-was-read');
    wails.WailsInvoke('C{"name":":wails:ClipboardGetText","args":[],"callbackID":"x"}');
    return wails.runtime;
  });
  expect(left).toBeUndefined();
  await openPage(desk, 'Counter');
  expect(sent.join(), 'calls go on').toContain('main.App.Invoke');
  expect(sent.join()).not.toMatch(/BO:|ClipboardGetText/);
});
