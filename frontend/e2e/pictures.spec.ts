import { expect } from '@playwright/test';
import { card, idOfAna, invoke, log, ownCard, placeOrder, say, test } from './bridge';
import { openPage, typeText } from './desk';
import { Endpoint, type Line } from './endpoint';
import { Film } from './film';
import { take } from './look';
import { cancel, packAndNote, placeDearOrder } from './scenes';

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
  await take(desk, 'confirmation');
  await card(desk).screenshot({ path: '../docs/images/card.png', animations: 'disabled' });
  await deny.click();
});

test('a plan of three steps', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1360, height: 850 });
  const order = await placeOrder(desk);
  const customerId = await idOfAna(desk);
  const steps = [
    { capability: 'order.cancel', arguments: { orderId: order, reason: 'ordered by mistake' } },
    { capability: 'order.addNote', arguments: { orderId: order, text: 'Ana called: she will order again next week.' } },
    { capability: 'customer.update', arguments: { customerId, phone: '503 555 0130' } },
  ];
  model.script({ text: ['I will do the three together.'], calls: [{ name: 'plan_propose', args: { steps } }] });
  await say(desk, 'Cancel it, note why, and her new number is 503 555 0130.');
  await expect(card(desk).getByRole('heading', { name: 'Do 3 things as one' })).toBeVisible();
  await take(desk, 'plan');
});

test('a model that was tested', { tag: '@screenshot' }, async ({ desk }) => {
  const ollama = await Endpoint.start(11434, ['llama3.1', 'qwen3']);
  await desk.setViewportSize({ width: 1120, height: 850 });
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const panel = desk.getByRole('tabpanel');
  await panel.getByRole('combobox', { name: 'Assistant' }).click();
  await desk.getByRole('option', { name: 'Ollama' }).click();
  await panel.getByRole('button', { name: 'Test' }).click();
  await expect(panel.getByRole('status').first()).toContainText('This model can work here.');
  await take(desk, 'model');
  await ollama.stop();
});

test('what the assistant may do', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1120, height: 700 });
  const terms = {
    constraints: { customerId: await idOfAna(desk), amount: { max: { amount: 5000, currency: 'USD' } } },
  };
  await invoke(desk, 'grant.create', {
    ...{ ...terms, grantee: { endpoint: model.url, model: 'scripted' }, capability: 'order.cancel' },
    limits: { uses: 3, budget: { amount: 12000, currency: 'USD' } },
    until: Date.now() + 7 * 24 * 3_600_000,
  });
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  await expect(desk.getByRole('list', { name: 'Grants' })).toContainText('Ana Ruiz');
  await take(desk, 'permissions');
});

test('the same is done with nine others', { tag: '@screenshot' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  const ids: string[] = [];
  for (let n = 0; n < 11; n++) ids.push(await placeOrder(desk));
  const [first = '', ...others] = ids;
  await invoke(desk, 'order.process', { orderId: others[9] }); // it is among them, and it does not fit
  await invoke(desk, 'navigation.go', { page: 'orders', id: first });
  await expect(desk.getByRole('heading', { level: 1, name: /^Order #W/ })).toBeVisible();
  const film = new Film(desk);
  const action = desk.getByRole('group', { name: 'Actions' }).getByRole('button', { name: 'Mark as packed' });
  const dialog = desk.getByRole('dialog');
  await packAndNote(desk, async (what) => {
    if (what === 'pack') await film.shot('One order is packed by hand', 2200, action);
    if (what === 'sure')
      await film.shot('One order is packed by hand', 1200, dialog.getByText('Mark as packed').last());
    if (what === 'note')
      await film.shot('… and a note is added', 1800, dialog.getByRole('button', { name: 'Add the note' }));
  });
  await openPage(desk, 'Orders');
  const row = (id = '') => desk.getByRole('grid', { name: 'Orders' }).getByRole('row').filter({ hasText: id });
  await row(others[9]).getByRole('checkbox').click();
  await row(others[0])
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] });
  const bar = desk.getByRole('region', { name: 'Selected' });
  await expect(bar).toContainText('10 selected');
  await expect(desk.getByRole('region', { name: 'Just done' }).getByRole('button')).toHaveCount(0); // what was said goes
  const same = bar.getByRole('button', { name: 'Do the same' });
  await film.shot('Ten others are selected: do the same with them', 2600, same);
  await same.click();
  const { article: asked, go } = ownCard(desk);
  await expect(asked.getByRole('heading', { level: 2 })).toContainText('Do the same with 9');
  await expect(asked.getByRole('button', { name: 'Leave it' })).toBeFocused();
  await take(desk, 'same');
  await film.shot('One card says what would be done, and what does not fit. Nothing is done yet', 4200);
  await film.shot('A person allows it', 1400, go);
  await go.click();
  const told = desk.getByRole('region', { name: 'Just done' });
  await expect(told).toContainText('Do the same with others: done.');
  await film.shot('Done: eighteen steps, one transaction, one record', 2600);
  await film.shot('One Undo takes all of it back', 1600, told.getByRole('button', { name: /^Undo/ }));
  await told.getByRole('button', { name: /^Undo/ }).click();
  await expect(told).toContainText('Undone');
  await film.shot('One Undo takes all of it back', 2400);
  expect(film.write('same')).toBeLessThan(2 << 20);
});

test('the assistant works on a copy', { tag: '@screenshot' }, async ({ desk }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  const order = await placeOrder(desk);
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Drafts' }).click();
  await desk.getByRole('button', { name: 'Open a copy' }).click();
  const mark = desk.getByRole('region', { name: 'Draft', exact: true });
  await expect(mark).toContainText('This is a copy of');
  await say(desk, `cancel order ${order}, ordered by mistake`);
  await expect(log(desk)).toContainText('was cancelled');
  await openPage(desk, 'Orders');
  await take(desk, 'draft');
  const loaded = desk.waitForEvent('load');
  await mark.getByRole('button', { name: 'Back to the shop' }).click();
  await loaded;
});

test('bounds tried on the log', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  const dear = await placeDearOrder(desk);
  model.script(cancel(dear), { text: ['As you wish.'] });
  await say(desk, `Cancel ${dear}`);
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('As you wish.');
  for (let n = 1; n <= 5; n += 1) {
    const order = await placeOrder(desk);
    model.script(cancel(order), { text: [`Cancelled ${n}.`] });
    await say(desk, `Cancel ${order}`);
    await card(desk).getByRole('button', { name: 'Allow once' }).click();
    await expect(log(desk)).toContainText(`Cancelled ${n}.`);
  }
  await desk.getByRole('button', { name: 'Go on asking' }).click();
  const last = await placeOrder(desk);
  model.script(cancel(last), { text: ['Then it stays.'] });
  await say(desk, `Cancel ${last}`);
  await card(desk).getByRole('button', { name: 'Allow and don’t ask again for this…' }).click();
  await expect(card(desk).getByRole('form', { name: /do not ask again/ })).toContainText(/In the last four weeks: \d/);
  await take(desk, 'benchmark');
  await card(desk).getByRole('button', { name: 'Back' }).click();
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('Then it stays.');
});

test('another model on what was said', { tag: '@screenshot' }, async ({ desk, model }) => {
  await desk.setViewportSize({ width: 1024, height: 700 });
  const customerId = await idOfAna(desk);
  const { products } = await invoke<{ products: { id: string }[] }>(desk, 'catalog.search', { query: 'Guji' });
  const add = (quantity: number): Line => ({
    calls: [{ name: 'cart_addItem', args: { productId: products[0]?.id, quantity, customerId } }],
  });
  const note = (text: string): Line => ({ calls: [{ name: 'customer_addNote', args: { customerId, text } }] });
  for (const [words, line] of [
    ['Put a Guji into Ana’s cart', add(1)],
    ['Note that Ana calls back', note('Calls back.')],
    ['Note that Ana likes it light', note('Likes it light.')],
  ] as const) {
    model.script(line, { text: [`Done: ${words}.`] });
    await say(desk, words);
    await expect(log(desk)).toContainText(`Done: ${words}.`);
  }
  await desk.keyboard.press('Control+J');
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  await desk.getByRole('combobox', { name: 'Model' }).click();
  await desk.keyboard.press('ControlOrMeta+A');
  await typeText(desk, 'another');
  await desk.keyboard.press('Tab');
  const part = desk.getByRole('region', { name: 'Try this model on your own past' });
  await part.getByRole('combobox', { name: 'Last sentences' }).selectOption('10');
  await part.getByRole('button', { name: 'Try it' }).click();
  model.script(note('Likes it light.'), { text: ['Noted.'] }, { text: ['Which customer?'] });
  model.script(add(2), { text: ['Two are in the cart.'] });
  await ownCard(desk).go.click();
  const third = desk.getByRole('list', { name: 'Tried sentences' }).getByRole('listitem').nth(2);
  await third.getByRole('button', { name: /Put a Guji/ }).click();
  await third.getByText('Two are in the cart.').scrollIntoViewIfNeeded();
  await take(desk, 'model-tried');
});
