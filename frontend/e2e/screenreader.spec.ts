import { expect, type Page } from '@playwright/test';
import { card, invoke, log, placeOrder, test } from './bridge';
import { emptyCart, openPage, putGuji, real, seldom, typeText } from './desk';

test.skip(!real, 'lists are the real shop’s');

interface TreeNode {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  childIds?: string[];
}

/** The rows of a grid as the browser tells them to a screen reader: for each, its values by the heads of their columns. */
async function gridTold(page: Page, name: string): Promise<Record<string, string>[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: TreeNode[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const within = (node: TreeNode, role: string): TreeNode[] =>
    (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      if (!child) return [];
      return child.role?.value === role && !child.ignored ? [child] : within(child, role);
    });
  const words = (node: TreeNode) =>
    node.name?.value ||
    within(node, 'StaticText')
      .map((text) => text.name?.value)
      .join(' ');
  const grid = nodes.find((node) => node.role?.value === 'grid' && node.name?.value === name);
  if (!grid) return [];
  const rows = within(grid, 'row');
  const heads = rows.flatMap((row) => within(row, 'columnheader')).map(words);
  const cells = rows.map((row) => within(row, 'gridcell')).filter((row) => row.length > 0);
  return cells.map((row) => Object.fromEntries(row.map((cell, at) => [heads[at] ?? `column ${at}`, words(cell)])));
}

test('a screen reader is told the column of every value', { tag: '@long' }, async ({ desk }) => {
  await putGuji(desk);
  await expect
    .poll(async () => (await gridTold(desk, 'Products found'))[0])
    .toMatchObject({ Product: expect.stringContaining('Guji'), Price: expect.stringMatching(/^\$/) });
  await openPage(desk, 'Orders');
  await expect(desk.getByRole('grid', { name: 'Orders' }).getByRole('row').first()).toBeVisible();
  const [order] = await gridTold(desk, 'Orders');
  expect(Object.keys(order ?? {})).toEqual(expect.arrayContaining(['Order', 'Customer', 'Status', 'Placed', 'Total']));
  expect(order).toMatchObject({ Order: expect.stringMatching(/^#W\d+$/), Total: expect.stringMatching(/^\$/) });
  await openPage(desk, 'Audit');
  await expect(desk.getByRole('grid', { name: 'Records' }).getByRole('row').first()).toBeVisible();
  expect((await gridTold(desk, 'Records'))[0]).toMatchObject({
    Caller: expect.any(String),
    What: expect.any(String),
    When: expect.any(String),
  });
});

test('the focus stays in the cart when a line goes', { tag: '@long' }, async ({ desk }) => {
  await emptyCart(desk);
  await putGuji(desk);
  await desk.getByRole('combobox', { name: 'Search products' }).fill('kayanza');
  await desk
    .getByRole('grid', { name: 'Products found' })
    .getByRole('row', { name: /Kayanza/ })
    .first()
    .click();
  const lines = desk.getByRole('list', { name: 'In the cart' }).getByRole('listitem');
  await expect(lines).toHaveCount(2);
  const first = lines.first().getByRole('button', { name: /^Remove / });
  await first.focus();
  await desk.keyboard.press('Enter');
  await expect(lines).toHaveCount(1);
  await expect(lines.first().getByRole('button', { name: /^Remove / })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(lines).toHaveCount(0);
  await expect.poll(() => desk.evaluate(() => document.activeElement !== document.body)).toBe(true);
});

/** Notes from now on what live regions tell, each time one of them has other words, or the same ones anew. */
async function listen(page: Page): Promise<void> {
  await page.evaluate(() => {
    const told: string[] = [];
    const last = new WeakMap<Element, string>();
    const regions = '[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]';
    const look = (records?: MutationRecord[]) => {
      const anew = new Set<Node>(records?.flatMap(({ addedNodes, target }) => (addedNodes.length > 0 ? [target] : [])));
      for (const region of document.querySelectorAll(regions)) {
        if (region.closest('[inert], [aria-live=off]')) continue;
        const words = region.textContent?.trim() ?? '';
        const changed = words !== (last.get(region) ?? '') || anew.has(region);
        if (changed && words && records) told.push(words);
        last.set(region, words);
      }
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    Object.assign(window, { told });
  });
}

const told = (page: Page, words: RegExp) =>
  page.evaluate(
    (source) => (window as unknown as { told: string[] }).told.filter((one) => new RegExp(source).test(one)).length,
    words.source,
  );

test('what happens at the counter is told once', async ({ desk, model }) => {
  const orderId = await placeOrder(desk);
  await invoke(desk, 'cart.setCustomer', { walkIn: true });
  await emptyCart(desk);
  await listen(desk);
  for (const sale of [1, 2]) {
    await putGuji(desk);
    await expect.poll(() => told(desk, /^Added\. 1 in the cart, \$/), 'the line, and the sum with it').toBe(sale);
    await desk.keyboard.press('F9');
    await expect.poll(() => told(desk, /recorded, taken along/)).toBe(sale);
  }
  model.script({ calls: [{ name: 'order_cancel', args: { orderId, reason: 'ordered by mistake' } }] });
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeFocused();
  await typeText(desk, 'Cancel it');
  await desk.keyboard.press('Enter');
  await expect(card(desk)).toBeVisible();
  await expect.poll(() => told(desk, new RegExp(`^Cancel order ${orderId}`))).toBe(1);
  await card(desk).getByRole('button', { name: /^Deny/ }).click();
  await expect(card(desk)).toHaveCount(0);
  expect(await told(desk, /^Added/)).toBe(2);
  expect(await told(desk, /recorded, taken along/)).toBe(2);
});

test('the focus is somewhere after everything that is done', { tag: '@long' }, async ({ desk, model }) => {
  const orderId = await placeOrder(desk);
  await invoke(desk, 'cart.setCustomer', { walkIn: true });
  await emptyCart(desk);
  const search = desk.getByRole('combobox', { name: 'Search products' });
  await search.focus();
  const stays = (when: string) => expect(desk.locator(':focus'), when).toHaveCount(1);
  const lines = desk.getByRole('list', { name: 'In the cart' }).getByRole('listitem');
  for (const words of ['guji', 'kayanza']) {
    await desk.keyboard.press('F2');
    await typeText(desk, words);
    await expect(desk.getByRole('grid', { name: 'Products found' }).getByRole('row').first()).toContainText(
      new RegExp(words, 'i'),
    );
    await desk.keyboard.press('ArrowDown');
    await desk.keyboard.press('Enter');
    await expect(lines).toHaveCount(words === 'guji' ? 1 : 2);
  }
  for (const left of [1, 0]) {
    await lines
      .last()
      .getByRole('button', { name: /^Remove / })
      .focus();
    await desk.keyboard.press('Enter');
    await expect(lines).toHaveCount(left);
    await stays(`a line goes, ${left} are left`);
  }
  await putGuji(desk);
  for (const key of ['F3', 'F6', 'F10', 'Control+k', '?']) {
    if (key === '?') await desk.getByRole('button', { name: 'Note', exact: true }).focus();
    await desk.keyboard.press(key);
    await expect(desk.getByRole('dialog')).toBeVisible();
    await desk.keyboard.press('Escape');
    await expect(desk.getByRole('dialog')).toHaveCount(0);
    await stays(`${key} and Escape`);
  }
  await desk.keyboard.press('F9');
  await expect(desk.getByRole('region', { name: 'Cart' })).toContainText('recorded');
  await stays('a sale');

  await openPage(desk, 'Orders');
  await stays('a page');
  await desk.getByRole('searchbox', { name: 'Search orders' }).focus();
  await typeText(desk, orderId);
  await expect(desk.getByRole('grid', { name: 'Orders' }).getByRole('row')).toHaveCount(1);
  await desk.keyboard.press('ArrowDown');
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('heading', { level: 1, name: `Order ${orderId}` })).toBeVisible();
  await stays('an order');
  await seldom(desk, 'Add a note');
  await typeText(desk, 'Ring twice');
  await desk.getByRole('dialog').getByRole('button', { name: 'Add the note' }).focus();
  await desk.keyboard.press('Enter');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await stays('a dialog that did what it was for');

  model.script(
    { calls: [{ name: 'order_cancel', args: { orderId, reason: 'ordered by mistake' } }] },
    { text: ['As you wish.'] },
  );
  await desk.keyboard.press('Control+J');
  await expect(desk.getByRole('textbox', { name: 'Message to the assistant' })).toBeFocused();
  await typeText(desk, 'Cancel the latest one');
  await desk.keyboard.press('Enter');
  await expect(card(desk)).toBeVisible();
  await desk.keyboard.press('F8');
  await expect(card(desk).getByRole('button', { name: /^Deny/ })).toBeFocused();
  await desk.keyboard.press('Enter');
  await expect(card(desk)).toHaveCount(0);
  await stays('a card is answered');
  await expect(log(desk)).toContainText('As you wish.');
  await desk.getByRole('button', { name: 'Conversations' }).focus();
  await desk.keyboard.press('Enter');
  const earlier = desk
    .getByRole('list', { name: 'Earlier conversations' })
    .getByRole('button', { name: /Cancel the latest one/ });
  await earlier.first().focus();
  await desk.keyboard.press('Enter');
  await expect(log(desk)).toContainText('As you wish.');
  await stays('a conversation is opened');
  await desk.getByRole('button', { name: 'New conversation' }).focus();
  await desk.keyboard.press('Enter');
  await stays('a new conversation');
});
