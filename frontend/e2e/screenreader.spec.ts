import { expect, type Page } from '@playwright/test';
import { emptyCart, openPage, putGuji, real, test } from './desk';

test.skip(!real, 'lists are the real shop’s');

interface Node {
  nodeId: string;
  ignored: boolean;
  role?: { value: string };
  name?: { value: string };
  childIds?: string[];
}

/** The rows of a grid as the browser tells them to a screen reader: for each, its values by the heads of their columns. */
async function gridTold(page: Page, name: string): Promise<Record<string, string>[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send('Accessibility.getFullAXTree')) as unknown as { nodes: Node[] };
  await session.detach();
  const byId = new Map(nodes.map((node) => [node.nodeId, node]));
  const within = (node: Node, role: string): Node[] =>
    (node.childIds ?? []).flatMap((id) => {
      const child = byId.get(id);
      if (!child) return [];
      return child.role?.value === role && !child.ignored ? [child] : within(child, role);
    });
  const words = (node: Node) =>
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

test('a screen reader is told the column of every value', async ({ desk }) => {
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

test('the focus stays in the cart when a line goes', async ({ desk }) => {
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
