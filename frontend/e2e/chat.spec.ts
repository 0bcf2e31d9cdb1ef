import { expect } from '@playwright/test';
import { card, idOfAna, invoke, log, ownCard, placeOrder, say, test } from './bridge';
import { openPage, real, typeText } from './desk';
import { look } from './look';

test('what is suggested is done by one tap, as the person', async ({ desk, model }) => {
  const order = await placeOrder(desk);
  model.script(
    {
      calls: [
        {
          name: 'suggest_next_steps',
          args: {
            suggestions: [
              { tool: 'order_addNote', arguments: { orderId: order, text: 'Call Ana before it is sent.' } },
              { tool: 'navigation_go', arguments: { page: 'orders', id: order } },
            ],
          },
        },
      ],
    },
    { text: ['What shall be next?'] },
  );
  await say(desk, 'What now?');
  const steps = desk.getByRole('group', { name: 'Suggested next steps' });
  await expect(steps.getByRole('button')).toHaveCount(2);
  await look(desk, 'chat-suggestions');
  await steps.getByRole('button', { name: /Call Ana before it is sent/ }).click();
  await expect(log(desk).getByRole('article', { name: /^Add a note to an order: done/ })).toBeVisible();
  await steps.getByRole('button', { name: /orders/ }).click();
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${order}` })).toBeVisible();
  await expect(desk.getByRole('main')).toContainText('Call Ana before it is sent.');
  const { records } = await invoke<{ records: object[] }>(desk, 'audit.search', { capability: 'order.addNote' });
  expect(records[0]).toMatchObject({ caller: { type: 'ui' }, parent_request_id: expect.stringMatching(/^turn_/) });
});

test('what is suggested together is one card, one change and one undo', { tag: '@long' }, async ({ desk, model }) => {
  const order = await placeOrder(desk);
  const suggestions = ['Call Ana first.', 'Pack it well.'].map((text) => ({
    ...{ tool: 'order_addNote', arguments: { orderId: order, text } },
  }));
  model.script({ calls: [{ name: 'suggest_next_steps', args: { suggestions } }] }, { text: ['Shall I?'] });
  await say(desk, 'What now?');
  const all = desk.getByRole('button', { name: 'Do all 2 as one' });
  await expect(all).toBeVisible();
  await look(desk, 'chat-plan');
  await all.click();
  const { dialog: question, go } = ownCard(desk);
  await expect(question).toContainText('Do 2 things as one');
  await expect(question, 'the assistant chose it').not.toContainText('you said it');
  await go.click();
  const done = log(desk).getByRole('article', { name: /^Do several things as one: done/ });
  await expect(done).toBeVisible();
  await expect(desk.getByRole('group', { name: 'Suggested next steps' })).toHaveCount(0);
  const notes = async () => (await invoke<{ notes: { text: string }[] }>(desk, 'order.get', { orderId: order })).notes;
  expect((await notes()).map(({ text }) => text).sort()).toEqual(['Call Ana first.', 'Pack it well.']);
  const { records } = await invoke<{ records: object[] }>(desk, 'audit.search', { capability: 'plan.propose' });
  expect(records[0]).toMatchObject({ caller: { type: 'ui' }, parent_request_id: expect.stringMatching(/^turn_/) });
  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(done).toContainText('Undone');
  expect(await notes()).toEqual([]);
});

test('the open order and what is missing in a form are told, not what was typed', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const order = await placeOrder(desk);
  await invoke(desk, 'navigation.go', { page: 'orders', id: order });
  await desk.getByRole('button', { name: 'Change address' }).click();
  const dialog = desk.getByRole('dialog');
  const open = desk.getByRole('list', { name: 'The assistant is told that these are open' });
  await dialog.getByRole('radio', { name: /^Another address/ }).check();
  await dialog.getByRole('textbox', { name: 'Street', exact: true }).click();
  await typeText(desk, 'Zyxway 7');
  await desk.keyboard.press('Control+J');
  const field = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await expect(field).toBeFocused();
  await expect(open).toContainText(order);
  await typeText(desk, 'What is missing here?');
  await desk.keyboard.press('Enter');
  await expect(log(desk)).toContainText('Done.');
  await look(desk, 'chat-open-record');
  const told = model.asked[0]?.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  expect(told).toContain(`{"step":"orders","ids":["${order}"]}`);
  const wrong = ['/address/city', '/address/postalCode']; // the country is the shop's
  expect(told).toContain(`{"step":"order_changeAddress","wrong":${JSON.stringify(wrong)}}`);
  expect(JSON.stringify(model.asked)).not.toContain('Zyxway');

  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await open.getByRole('button', { name: /^Do not tell the assistant/ }).click();
  await expect(open).toHaveCount(0);
  await expect(field).toBeFocused();
  await typeText(desk, 'And now?');
  await desk.keyboard.press('Enter');
  await expect.poll(() => model.asked.length).toBe(2);
  expect(model.asked[1]?.messages.findLast(({ role }) => role === 'user')?.content).not.toContain(order);
});

test('the record under the cursor of a list is what “this one” means', { tag: '@long' }, async ({ desk, model }) => {
  await placeOrder(desk);
  const order = await placeOrder(desk);
  model.script({ text: ['That one.'] });
  await openPage(desk, 'Orders');
  const orders = desk.getByRole('grid', { name: 'Orders' });
  await expect(orders.getByRole('row', { name: new RegExp(order) })).toBeVisible();
  await desk.getByRole('searchbox', { name: 'Search orders' }).focus();
  await desk.keyboard.press('ArrowDown'); // to the list, whose first row is the latest order
  await expect(orders).toBeFocused();
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('ArrowUp');
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('list', { name: 'The assistant is told that these are open' })).toContainText(order);
  await typeText(desk, 'What is this one?');
  await desk.keyboard.press('Enter');
  await expect(log(desk)).toContainText('That one.');
  const told = model.asked[0]?.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  expect(told).toContain(`{"step":"orders","ids":["${order}"]}`);
});

test('Stop in the middle of a sentence', async ({ desk, model }) => {
  model.script({ text: ['Let me think about ', 'all of the '], hangs: true });
  await say(desk, 'Tell me everything.');
  await expect(log(desk)).toContainText('all of the');
  await desk.keyboard.press('Escape');
  await expect(log(desk)).toContainText('Stopped. Nothing was changed.');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
  await desk.keyboard.press('ArrowUp');
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toHaveValue('Tell me everything.');
});

/** A reply that pauses in the middle of a sentence until it is released. */
function slowly() {
  let goOn = () => {};
  const when = new Promise<void>((told) => {
    goOn = told;
  });
  return {
    reply: { text: ['Let me think about all of the '], later: { when, text: ['beans', ' there are.'] } },
    goOn,
  };
}

test('a turn goes on in a window that is loaded anew, and can be stopped there', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const { reply, goOn } = slowly();
  model.script(reply, { text: ['And of the tea '], hangs: true });
  await say(desk, 'Tell me everything.');
  await expect(log(desk)).toContainText('all of the');
  await desk.reload();
  const stop = desk.getByRole('button', { name: 'Stop' });
  await expect(log(desk)).toContainText('Let me think about all of the […]');
  await expect(stop).toBeVisible();
  await desk.waitForTimeout(500); // the requests on the way have been answered
  await expect(stop).toBeVisible();
  goOn();
  await expect(log(desk)).toContainText('Let me think about all of the beans there are.');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();

  await say(desk, 'And the tea?');
  await expect(log(desk)).toContainText('And of the tea');
  await desk.reload();
  await expect(log(desk)).toContainText('the tea […]');
  await stop.click();
  await expect(log(desk)).toContainText('Stopped. Nothing was changed.');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('a turn that ends while nobody is there is read where it is kept', { tag: '@long' }, async ({ desk, model }) => {
  const { reply, goOn } = slowly();
  model.script(reply);
  await say(desk, 'Tell me everything.');
  await expect(log(desk)).toContainText('all of the');
  const address = desk.url();
  await desk.goto('about:blank');
  goOn();
  await desk.waitForTimeout(1500); // its end is not announced
  await desk.goto(address);
  await expect(log(desk)).toContainText('Let me think about all of the beans there are.');
  await expect(log(desk)).not.toContainText('[…]');
  await expect(desk.getByRole('button', { name: 'Send' })).toBeVisible();
});

test('Stop while a call waits: what was and was not done is said', { tag: '@long' }, async ({ desk, model }) => {
  const order = await placeOrder(desk);
  model.script({
    calls: [
      { name: 'order_addNote', args: { orderId: order, text: 'Written before the stop.' } },
      { name: 'order_cancel', args: { orderId: order, reason: 'out of stock' } },
    ],
  });
  await say(desk, 'Note it and cancel it.');
  await expect(card(desk)).toBeVisible();
  await desk.getByRole('button', { name: 'Stop' }).click();
  await expect(card(desk)).toHaveCount(0);
  await expect(log(desk)).toContainText('Stopped.');
  await look(desk, 'chat-stopped');
  await log(desk).getByRole('button', { name: 'Undo: Add a note to an order' }).click();
  await expect(log(desk)).toContainText('Undone');
  expect(await invoke(desk, 'order.get', { orderId: order })).toMatchObject({ status: 'pending', notes: [] });
});

test('a sentence is said again in other words, and what a turn cost is told', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  model.script({ text: ['Which one?'] }, { text: ['That one.'] });
  await say(desk, 'Show me the beans');
  await expect(log(desk)).toContainText('1,200 tokens read, 34 written');
  await log(desk).getByRole('button', { name: 'Edit and say again' }).click();
  const field = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('Show me the beans');
  await field.fill('Show me the Guji');
  await desk.keyboard.press('Enter');
  await expect(log(desk)).toContainText('That one.');
  expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('Show me the Guji');
});

test('a conversation that is opened again has its calls, their records and Undo', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const order = await placeOrder(desk);
  model.script(
    { calls: [{ name: 'order_addNote', args: { orderId: order, text: 'Pack it well.' } }] },
    { text: ['The note is **there**.'] },
    { text: ['Another one.'] },
  );
  await say(desk, 'Note: pack it well.');
  const done = log(desk).getByRole('article', { name: /^Add a note to an order: done/ });
  await expect(done).toBeVisible();
  await desk.getByRole('button', { name: 'New conversation' }).click();
  await say(desk, 'Something else');
  await expect(log(desk)).toContainText('Another one.');
  await desk.getByRole('button', { name: 'Conversations' }).click();
  const list = desk.getByRole('list', { name: 'Earlier conversations' });
  await list.getByRole('button', { name: 'Remove Something else' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Remove for good' }).click();
  // What is in memory is not told after a removal: the conversation comes from the store.
  await list.getByRole('button', { name: /^Note: pack it well/ }).click();
  await expect(log(desk)).toContainText('The note is there.');
  await expect(done).toContainText('Pack it well.');
  await look(desk, 'chat-opened-again');
  await done.getByRole('button', { name: new RegExp(order) }).click();
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${order}` })).toBeVisible();
  await done.getByRole('button', { name: /^Undo/ }).click();
  await expect(done).toContainText('Undone');
  expect(await invoke(desk, 'order.get', { orderId: order })).toMatchObject({ notes: [] });
});

test('conversations are continued, renamed and removed', { tag: '@long' }, async ({ desk, model }) => {
  model.script({ text: ['Good morning to you.'] });
  await say(desk, 'A good morning from the desk');
  await expect(log(desk)).toContainText('Good morning to you.');
  await desk.getByRole('button', { name: 'New conversation' }).click();
  await expect(log(desk)).toContainText('Say what you want done');
  await desk.getByRole('button', { name: 'Conversations' }).click();
  const list = desk.getByRole('list', { name: 'Earlier conversations' });
  const first = list.getByRole('listitem').first();
  await expect(first).toContainText('A good morning from the desk');
  await first.getByRole('button', { name: /^Rename/ }).click();
  const dialog = desk.getByRole('dialog');
  await dialog
    .getByRole('textbox', { name: 'Name' })
    .fill('Greetings, and a name that is much longer than the panel is wide, so that it takes');
  await dialog.getByRole('button', { name: 'Rename' }).click();
  await expect(first).toContainText('Greetings, and a name');
  await look(desk, 'chat-conversations');
  await first.getByRole('button', { name: /^Greetings/ }).click();
  await expect(log(desk)).toContainText('Good morning to you.');
  model.script({ text: ['As I said before.'] });
  await say(desk, 'What did you say?');
  await expect(log(desk)).toContainText('As I said before.');
  expect(JSON.stringify(model.asked.at(-1)?.messages)).toContain('Good morning to you.');
  await desk.getByRole('button', { name: 'Conversations' }).click();
  await first.getByRole('button', { name: /^Remove/ }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Remove for good' }).click();
  await expect(list).not.toContainText('Greetings');
});

test('a broken endpoint says what to do, and the built-in assistant goes on', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  model.script({ status: 404 }, { status: 404 });
  await say(desk, 'Show me the Guji');
  await expect(log(desk).getByRole('alert')).toBeVisible();
  await look(desk, 'chat-broken');
  const ways = desk.getByRole('group', { name: 'Ways on' });
  await ways.getByRole('button', { name: 'Settings' }).click();
  await expect(desk.getByRole('tab', { name: 'Assistant', selected: true })).toBeVisible();
  await ways.getByRole('button', { name: 'Use the built-in assistant…' }).click();
  await desk.keyboard.press('Escape'); // asked first: it is for every desk
  await expect(ways).toBeVisible();
  await ways.getByRole('button', { name: 'Use the built-in assistant…' }).click();
  await desk.getByRole('dialog').getByRole('button', { name: 'Use it everywhere' }).click();
  await expect(ways).toHaveCount(0);
  await expect(log(desk)).toContainText(/Guji.*\$/s);
});

test('offline: nothing answers, and nothing is lost', async ({ desk, model }) => {
  await model.stop();
  await say(desk, 'Show me the Guji');
  await expect(log(desk).getByRole('alert')).toContainText('Nothing answers at');
  await look(desk, 'chat-offline');
  await desk.getByRole('group', { name: 'Ways on' }).getByRole('button', { name: 'Try again' }).click();
  await expect(log(desk).getByRole('alert')).toHaveCount(2);
});

test('switched off, the chat says so and can be switched on', { tag: '@long' }, async ({ desk }) => {
  await invoke(desk, 'assistant.setEnabled', { enabled: false });
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('status').filter({ hasText: 'The assistant is switched off' })).toBeVisible();
  await look(desk, 'chat-off');
  await desk.getByRole('button', { name: 'Switch it on' }).click();
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeVisible();
});

test('a record is chosen by @ in a message, by keys alone, and the built-in assistant takes it', {
  tag: '@long',
}, async ({ desk }) => {
  test.skip(!real, 'the built-in assistant is the application’s');
  const ana = await idOfAna(desk);
  await desk.keyboard.press('Control+J');
  const field = desk.getByRole('textbox', { name: 'Message to the assistant' });
  await expect(field).toBeFocused();
  await typeText(desk, 'start an order for @ana r');
  const found = desk.getByRole('listbox', { name: 'Records found' });
  await expect(found.getByRole('option', { name: /^Ana Ruiz/, selected: true })).toBeVisible();
  await look(desk, 'chat-mention');
  await desk.keyboard.press('Escape');
  await expect(found).toHaveCount(0);
  await expect(field, 'what was typed stays').toHaveValue('start an order for @ana r');
  await typeText(desk, 'u');
  await expect(found, 'the person wants no list here').toHaveCount(0);
  for (let letter = 0; letter < '@ana ru'.length; letter += 1) await desk.keyboard.press('Backspace');
  await typeText(desk, '@ana ru');
  await expect(found.getByRole('option', { name: /^Ana Ruiz/, selected: true })).toBeVisible();
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('ArrowUp');
  await desk.keyboard.press('Tab');
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('start an order for @Ana Ruiz ');
  await desk.keyboard.press('Enter');
  await expect(log(desk).getByRole('article', { name: /^Choose the customer: done/ })).toContainText('Ana Ruiz');
  const { records } = await invoke<{ records: object[] }>(desk, 'audit.search', {
    ...{ callerType: 'agent', capability: 'cart.setCustomer', limit: 1 },
  });
  const said = `start an order for @[Ana Ruiz](customer:${ana})`;
  expect(records[0], 'nothing was looked up').toMatchObject({
    arguments: { customerId: ana },
    triggering_message: said,
  });
  await log(desk).getByRole('button', { name: '@Ana Ruiz' }).click();
  await expect(desk.getByRole('heading', { name: 'Ana Ruiz' })).toBeVisible();
});

test('what a refusal offers are answers under what the model says', { tag: '@long' }, async ({ desk, model }) => {
  await invoke(desk, 'cart.setCustomer', { customerId: await idOfAna(desk) });
  model.script(
    { calls: [{ name: 'cart_addItem', args: { productId: 'prd_gift_card', quantity: 1 } }] },
    { text: ['Which gift card?'] },
    {
      calls: [
        { name: 'cart_addItem', args: { productId: 'prd_gift_card', variantId: 'var_gift_card_2', quantity: 1 } },
      ],
    },
    { text: ['It is in the cart.'] },
  );
  await say(desk, 'Add a gift card.');
  const answers = desk.getByRole('group', { name: 'Suggested answers' });
  await expect(answers.getByRole('button')).toHaveText(['$25', '$50', '$100']);
  await look(desk, 'chat-choices');
  await desk.reload();
  await expect(answers.getByRole('button'), 'a question waits for its answer').toHaveCount(3);
  await answers.getByRole('button', { name: '$50' }).click();
  await expect(log(desk)).toContainText('It is in the cart.');
  await expect(answers).toHaveCount(0);
  await invoke(desk, 'cart.clear', {});
});

test('what is known of a customer is shown as rows', { tag: '@long' }, async ({ desk, model }) => {
  const customerId = await idOfAna(desk);
  model.script({ calls: [{ name: 'customer_get', args: { customerId } }] }, { text: ['That is she.'] });
  await say(desk, 'Who is Ana?');
  const read = log(desk).getByRole('article', { name: /^Show a customer: done/ });
  await expect(log(desk)).toContainText('That is she.');
  await look(desk, 'chat-customer');
  await expect(read.getByRole('listitem').first()).toContainText('Ana Ruiz');
  await read.getByRole('listitem').first().getByRole('button').click();
  await expect(desk.getByRole('heading', { level: 1, name: 'Ana Ruiz' })).toBeVisible();
});

test('what a call read is shown as rows, and what is said of a record leads to it', { tag: '@long' }, async ({
  desk,
  model,
}) => {
  const order = await placeOrder(desk);
  model.script(
    {
      calls: [
        { name: 'order_get', args: { orderId: order } },
        { name: 'report_topProducts', args: { period: 'year', limit: 3 } },
      ],
    },
    {
      text: [
        `Order **${order.slice(1)}** is Ana’s; [${order}](https://example.org) is not, and XX${order.slice(1)} is none.`,
      ],
    },
  );
  await say(desk, 'Whose is the last order, and what sells best?');
  const report = log(desk).getByRole('article', { name: /^Report what sold best: done/ });
  await expect(report.getByRole('listitem')).toHaveCount(3);
  await expect(report.getByRole('listitem').first().getByRole('button')).toBeVisible();
  await log(desk).getByRole('button', { name: 'Looked up: Show an order', expanded: false }).click();
  const read = log(desk).getByRole('article', { name: /^Show an order: done/ });
  await read.getByRole('button', { name: /^Show (all|it)/ }).click();
  await expect(read.getByRole('listitem').first().getByRole('button')).toHaveText(new RegExp(`^${order} · Ana Ruiz`));
  await look(desk, 'chat-records');
  const said = log(desk).getByRole('button', { name: order.slice(1), exact: true });
  await expect(said).toHaveCount(1);
  await said.click();
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${order}` })).toBeVisible();
});
