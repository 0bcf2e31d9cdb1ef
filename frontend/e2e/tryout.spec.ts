import { expect, type Page } from '@playwright/test';
import { card, idOfAna, invoke, log, ownCard, placeOrder, say, test } from './bridge';
import { openPage, typeText } from './desk';
import type { Line } from './endpoint';
import { look } from './look';
import { cancel, placeDearOrder } from './scenes';

const suggestion = (desk: Page) => desk.getByRole('region', { name: 'A grant for what you allow again and again' });

test('the fifth equal answer, a card and the settings say what a grant would have spared', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const dear = await placeDearOrder(desk);
  const orders: string[] = [];
  for (let n = 0; n < 6; n += 1) orders.push(await placeOrder(desk));
  const last = orders.pop() ?? '';
  model.script(cancel(dear), { text: ['As you wish.'] });
  await say(desk, `Cancel ${dear}`);
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(log(desk)).toContainText('As you wish.');
  for (const [n, order] of orders.entries()) {
    await expect(suggestion(desk)).toHaveCount(0);
    model.script(cancel(order), { text: [`Cancelled ${n + 1}.`] });
    await say(desk, `Cancel ${order}`);
    await card(desk).getByRole('button', { name: 'Allow once' }).click();
    await expect(log(desk)).toContainText(`Cancelled ${n + 1}.`);
  }
  await expect(suggestion(desk)).toContainText('Cancel an order');
  await expect(suggestion(desk)).toContainText('Customer: Ana Ruiz');
  const trial = /In the last four weeks: \d+ cards, \d+ spared, none of the \d+ denied\./;
  await expect(suggestion(desk)).toContainText(trial);
  await look(desk, 'card-suggestion');
  await suggestion(desk).getByRole('button', { name: 'Go on asking' }).click();
  await expect(suggestion(desk)).toHaveCount(0);

  model.script(cancel(last), { text: ['Cancelled too.'] });
  await say(desk, `Cancel ${last}`);
  await card(desk).getByRole('button', { name: 'Allow and don’t ask again for this…' }).click();
  const panel = card(desk).getByRole('form', { name: /do not ask again/ });
  await expect(panel).toContainText(trial);
  await look(desk, 'card-tried');
  await panel.getByRole('textbox', { name: 'Each at most' }).click();
  await desk.keyboard.press('ControlOrMeta+A');
  await typeText(desk, '900');
  await expect(panel).toContainText(/1 of the \d+ denied let through\. .*Denied: record 1/);
  await panel.getByRole('button', { name: 'Back' }).click();
  await card(desk).getByRole('button', { name: 'Allow once' }).click();
  await expect(log(desk)).toContainText('Cancelled too.');

  await desk.keyboard.press('Control+J'); // the page has the window for itself
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'What it may do' }).click();
  const suggested = desk.getByRole('list', { name: 'Suggested grants' });
  await expect(suggested).toContainText('Cancel an order');
  await desk.getByRole('combobox', { name: 'Reaches outside' }).selectOption('Never');
  const rule = desk.getByRole('list', { name: 'Rules by what is at stake' });
  await expect(rule).toContainText(/In the last four weeks/);
  await suggested.scrollIntoViewIfNeeded();
  await look(desk, 'settings-suggested');
  await suggested.getByRole('button', { name: 'Give this grant: Cancel an order' }).click();
  await expect(suggested).toHaveCount(0);
  const grant = desk.getByRole('list', { name: 'Grants' }).getByRole('listitem').first();
  await expect(grant).toContainText(trial);
  await look(desk, 'settings-grant-tried');

  const before = Number(/(\d+) cards/.exec((await grant.textContent()) ?? '')?.[1]);
  await desk.getByRole('combobox', { name: 'Reaches outside' }).selectOption('');
  model.script(cancel(dear), { text: ['Still there.'] });
  await say(desk, `Cancel ${dear}`);
  await card(desk).getByRole('button', { name: 'Deny' }).click();
  await expect(grant).toContainText(`${before + 1} cards`); // it is read again by itself
});

const results = (desk: Page) => desk.getByRole('list', { name: 'Tried sentences' }).getByRole('listitem');

test('another model is tried on what was said, and what it did otherwise stands beside it', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const customerId = await idOfAna(desk);
  const { products } = await invoke<{ products: { id: string }[] }>(desk, 'catalog.search', { query: 'Guji' });
  const add = (quantity: number): Line => ({
    calls: [{ name: 'cart_addItem', args: { productId: products[0]?.id, quantity, customerId } }],
  });
  const note = (text: string): Line => ({ calls: [{ name: 'customer_addNote', args: { customerId, text } }] });
  model.script(add(1), { text: ['It is in the cart.'] });
  await say(desk, 'Put a Guji into Ana’s cart');
  await expect(log(desk)).toContainText('It is in the cart.');
  model.script(note('Calls back.'), { text: ['It is noted.'] });
  await say(desk, 'Note that Ana calls back');
  await expect(log(desk)).toContainText('It is noted.');
  model.script(note('Likes it light.'), { text: ['That is noted too.'] });
  await say(desk, 'Note that Ana likes it light');
  await expect(log(desk)).toContainText('That is noted too.');
  const before = await invoke<{ notes?: unknown[] }>(desk, 'customer.get', { customerId });
  const asked = model.asked.length;

  await desk.keyboard.press('Control+J');
  await openPage(desk, 'Settings');
  await desk.getByRole('tab', { name: 'Assistant' }).click();
  const field = desk.getByRole('combobox', { name: 'Model' });
  await field.click();
  await desk.keyboard.press('ControlOrMeta+A');
  await typeText(desk, 'another');
  await desk.keyboard.press('Tab');
  const part = desk.getByRole('region', { name: 'Try this model on your own past' });
  await part.getByRole('combobox', { name: 'Last sentences' }).selectOption('10');
  await part.getByRole('button', { name: 'Try it' }).click();
  const { dialog: ask, go } = ownCard(desk);
  await expect(ask).toContainText(`another ${model.url}`);
  await expect(ask).toContainText('Note that Ana likes it light');
  await look(desk, 'settings-try-model-card');
  expect(model.asked).toHaveLength(asked); // nothing is said before it is allowed
  // The last sentence comes first.
  model.script(note('Likes it light.'), { text: ['Noted.'] }, { text: ['Which customer?'] });
  model.script(add(2), { text: ['Two are in the cart.'] });
  await go.click();
  await expect(part.getByRole('status')).toContainText(/sentences tried: /);
  await expect(results(desk).nth(0)).toContainText('SameNote that Ana likes it light');
  await expect(results(desk).nth(1)).toContainText('Asked moreNote that Ana calls back');
  await expect(results(desk).nth(2)).toContainText('DifferentPut a Guji into Ana’s cart');
  const third = results(desk).nth(2);
  await third.getByRole('button', { name: /Put a Guji/ }).click();
  await expect(third.getByRole('region', { name: 'Then' })).toContainText('Quantity: 1');
  await expect(third.getByRole('region', { name: 'This model' })).toContainText('Quantity: 2');
  await expect(third.getByRole('region', { name: 'This model' })).toContainText('Two are in the cart.');
  await third.getByText('Two are in the cart.').scrollIntoViewIfNeeded();
  await look(desk, 'settings-model-tried');
  expect(await invoke(desk, 'customer.get', { customerId })).toEqual(before);

  const said = model.asked.length;
  model.script({ text: ['One moment.'], hangs: true });
  await part.getByRole('button', { name: 'Try it' }).click();
  await go.click();
  await expect.poll(() => model.asked.length).toBeGreaterThan(said);
  await part.getByRole('button', { name: 'Stop' }).click();
  await expect(part.getByRole('status')).toContainText('Stopped: the copy is removed');
  expect(await invoke(desk, 'customer.get', { customerId })).toEqual(before);
  await expect(desk.getByRole('heading', { level: 1 })).toBeVisible();
});
