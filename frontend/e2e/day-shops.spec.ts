import { execFileSync, spawn } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, type Page, test } from '@playwright/test';
import { invoke } from './bridge';
import { dropCallsWhileLeaving, openPage, real, typeText } from './desk';
import { action, cartOf, find, Hand, lastSale, reason, sell, type Tool } from './hand';

/*
 * A day in three new shops: forty-five sales of thirteen kinds, by keyboard, by mouse and by touch. An input is a scan, a
 * key that acts, a click, a tap, or a field that is filled. At its end another program replays the log of the shop and
 * comes to the same money, stock, tax, receipts and closings.
 */
test.skip(!real, 'a day adds up in the real shop');

/** Goods with the price of one in minor units, tax included. */
const goods = {
  bread: { name: 'Rye Bread', code: '2000000000015', price: 253, taxClass: 'reduced' },
  mug: { name: 'Stone Mug', code: '2000000000022', price: 1200, taxClass: 'standard' },
  tea: { name: 'Green Tea', code: '2000000000039', price: 790, taxClass: 'reduced' },
  kettle: { name: 'Kettle', code: '2000000000046', price: 3000, taxClass: 'standard' },
} as const;
const LARGE = 3990; // the other size of the kettle
const POST = 490;

interface Country {
  words: string;
  currency: string;
  tool: Tool;
  reduced: number;
  /** Rounds a price to the smallest coin, which is five in Switzerland. */
  inCash: (price: number) => number;
  kinds: Kind[];
}

interface Sold {
  orderId: string;
  total: { amount: number };
  rounding?: { amount: number };
  status: string;
  payments: { kind: string; paymentMethodId: string; amount: { amount: number } }[];
}

/** The most inputs of each, the scan not among them. */
const most = { cash: 3, split: 6, openItem: 4, discount: 3, return: 5, close: 5 };

class Day {
  readonly sales: Sold[] = [];
  constructor(
    readonly hand: Hand,
    readonly country: Country,
  ) {}

  get desk(): Page {
    return this.hand.desk;
  }

  /** Counts the inputs of one thing. */
  async within(limit: keyof typeof most, does: () => Promise<unknown>): Promise<void> {
    const before = this.hand.inputs;
    await does();
    expect(this.hand.inputs - before, `inputs: ${limit}`).toBeLessThanOrEqual(most[limit]);
  }

  /** Sells the cart, and reads the order: what it comes to, and the parts of the payment in their order. */
  async sold(total: number, ...payments: number[]): Promise<Sold> {
    const { desk, hand } = this;
    await expect(sell(desk)).toContainText((total / 100).toFixed(2));
    await hand.choose('F9', sell(desk));
    await expect(lastSale(desk)).toContainText((total / 100).toFixed(2));
    const orderId = (await lastSale(desk).textContent())?.match(/#W\d{7}/)?.[0] ?? '';
    const order = { ...(await invoke<Sold>(desk, 'order.get', { orderId })), orderId };
    expect(order.payments.map(({ amount }) => amount.amount)).toEqual(payments.length > 0 ? payments : [total]);
    this.sales.push(order);
    return order;
  }

  async scan(good: keyof typeof goods): Promise<void> {
    await this.hand.scan(goods[good].code);
    await expect(cartOf(this.desk).getByRole('list', { name: 'In the cart' })).toContainText(goods[good].name);
  }

  async customer(name: string): Promise<void> {
    const { desk, hand } = this;
    await hand.choose('F3', cartOf(desk).getByRole('button', { name: 'Choose customer' }));
    await hand.fill(desk.getByRole('combobox', { name: 'Search customers' }), name);
    const found = desk.getByRole('listbox', { name: 'Customers found' }).getByRole('option', { name });
    await expect(found).toBeVisible();
    await hand.choose('Enter', found);
    await expect(cartOf(desk)).toContainText(name);
  }

  async deliver(): Promise<void> {
    const { desk, hand } = this;
    const radio = cartOf(desk).getByRole('radio', { name: 'Deliver' });
    await hand.choose('Shift+F4 Shift+F4', cartOf(desk).getByText('Deliver', { exact: true }));
    await expect(radio).toBeChecked();
    await expect(sell(desk)).toContainText('Submit order');
  }

  /** Chooses what pays: by F4, again and again, or where it is seen. */
  async paidBy(name: string | RegExp): Promise<void> {
    const { desk, hand } = this;
    const way = cartOf(desk).getByRole('group', { name: 'Paid by' }).getByRole('button', { name });
    await expect(way).toBeVisible();
    if (hand.tool !== 'keyboard') await hand.choose('', way);
    else
      for (let presses = 0; presses < 8 && (await way.getAttribute('aria-pressed')) !== 'true'; presses += 1)
        await hand.press('F4');
    await expect(way).toHaveAttribute('aria-pressed', 'true');
  }

  async part(label: RegExp, text: string): Promise<void> {
    const { desk, hand } = this;
    await hand.choose('F11', cartOf(desk).getByRole('button', { name: /^Only a part/ }));
    await hand.fill(cartOf(desk).getByRole('textbox', { name: label }), text);
  }

  /** Presses a button of the dialog, or Enter. */
  async answer(name: RegExp): Promise<void> {
    const dialog = this.desk.getByRole('dialog');
    await expect(dialog.getByRole('button', { name })).toBeEnabled();
    await this.hand.choose('Enter', dialog.getByRole('button', { name }));
    await expect(dialog).toHaveCount(0);
  }
}

const { bread, mug, tea, kettle } = goods;

const kinds = {
  async cash(day: Day) {
    await day.scan('bread');
    const due = day.country.inCash(bread.price);
    await day.within('cash', () => day.sold(due));
  },
  async search(day: Day) {
    const { desk, hand } = day;
    await hand.choose('F2', desk.getByRole('combobox', { name: 'Search products' }));
    await hand.type('stone');
    const found = desk.getByRole('grid', { name: 'Products found' }).getByRole('row', { name: /Stone Mug/ });
    await expect(desk.getByRole('grid', { name: 'Products found' }).getByRole('row')).toHaveCount(1);
    await hand.choose('Enter', found);
    await day.sold(mug.price);
  },
  async split(day: Day) {
    await day.scan('mug');
    await day.within('split', async () => {
      await day.part(/^Cash pays/, '5');
      await day.sold(mug.price, 500, mug.price - 500);
    });
  },
  async giftCard(day: Day) {
    await day.scan('kettle');
    await day.customer('Gina Gift');
    await day.paidBy(/gift card/i);
    await day.part(/pays$/, '10');
    await day.sold(kettle.price, 1000, kettle.price - 1000);
  },
  async openItem(day: Day) {
    const { desk, hand } = day;
    const dialog = desk.getByRole('dialog');
    await day.within('openItem', async () => {
      await hand.choose('Shift+F2', cartOf(desk).getByRole('button', { name: 'Open item' }));
      await hand.fill(dialog.getByRole('textbox', { name: /^Title/ }), 'Gift wrap');
      await hand.fill(dialog.getByRole('textbox', { name: /price/i }), '3.50');
      await day.answer(/^Add an open item/);
    });
    await day.sold(350);
  },
  async linePrice(day: Day) {
    const { desk, hand } = day;
    await day.scan('mug');
    if (hand.tool === 'keyboard') await hand.press('Shift+F5');
    else {
      await hand.choose('', cartOf(desk).getByRole('button', { name: /^More of Stone Mug/ }));
      await hand.choose('', desk.getByRole('menuitem', { name: /^Price/ }));
    }
    await hand.fill(desk.getByRole('dialog').getByRole('textbox', { name: /^Price/ }), '11');
    await day.answer(/^Set the price/);
    await day.sold(1100);
  },
  async mixed(day: Day) {
    const { desk, hand } = day;
    await day.scan('bread');
    await day.scan('mug');
    await day.customer('Ana Address');
    await day.deliver();
    await day.within('discount', async () => {
      await hand.choose('F10', cartOf(desk).getByRole('button', { name: 'Discount' }));
      await hand.fill(desk.getByRole('dialog').getByRole('textbox', { name: 'Percent' }), '10');
      await day.answer(/^Give the discount/);
    });
    await day.paidBy('Card');
    await day.sold(bread.price - 25 + mug.price - 120 + POST);
  },
  async kettle(day: Day) {
    await day.scan('kettle');
    await day.sold(kettle.price);
  },
  async transfer(day: Day) {
    await day.scan('tea');
    await day.customer('Ana Address');
    await day.deliver();
    await day.paidBy('Bank transfer');
    await day.sold(tea.price + POST);
  },
  async rounded(day: Day) {
    await day.scan('bread');
    await day.part(/^Cash pays/, '1.03');
    const { rounding } = await day.sold(255, 105, 150);
    expect(rounding?.amount).toBe(2);
  },
} satisfies Record<string, (day: Day) => Promise<void>>;
type Kind = keyof typeof kinds;

/** What is done with orders of the day. */
async function afterwards(day: Day): Promise<void> {
  const { desk, hand, sales } = day;
  const dialog = desk.getByRole('dialog');
  const order = async (fits: (sale: Sold) => boolean) => {
    const { orderId = '' } = sales.find(fits) ?? {};
    await find(hand, orderId);
    return orderId;
  };
  const pays = (sale: Sold, total: number, ...methods: string[]) =>
    sale.total.amount === total &&
    sale.payments.map(({ paymentMethodId }) => paymentMethodId).join() === methods.join();

  const split = await order((sale) => pays(sale, mug.price, 'cash', 'card'));
  await expect(action(desk, 'Return')).toBeVisible();
  await day.within('return', async () => {
    await hand.choose('F4', action(desk, 'Return'));
    await reason(hand, 'c', 'Changed their mind');
    await day.answer(/^Take back/);
  });
  const { payments } = await invoke<Sold>(desk, 'order.get', { orderId: split });
  const back = payments.filter(({ kind }) => kind === 'refund').map(({ amount }) => amount.amount);
  expect(back, 'the last payment first').toEqual([mug.price - 500, 500]);

  await order((sale) => pays(sale, kettle.price, 'cash'));
  await expect(action(desk, 'Exchange')).toBeVisible();
  await hand.choose('F5', action(desk, 'Exchange'));
  await hand.pick(dialog.getByRole('combobox', { name: /^Instead of/ }), /39\.90/);
  if (hand.tool === 'keyboard') await hand.reach(dialog.getByRole('combobox', { name: 'Reason' }));
  await reason(hand, 'f', 'Faulty');
  await expect(dialog.getByRole('status')).toContainText(/9\.90\D* more/);
  await day.answer(/^Note the exchange/);
  const receive = action(desk, 'Receive the exchange');
  await expect(receive).toBeVisible();
  await hand.choose('F5', receive);
  await day.answer(/^Record the exchange/);

  const changed = await order((sale) => pays(sale, tea.price + POST, 'transfer'));
  await hand.reach(action(desk, 'Change items'));
  if (hand.tool === 'keyboard') await hand.press('Enter');
  await hand.fill(dialog.getByRole('combobox', { name: 'Another product' }), 'stone');
  await expect(desk.getByRole('option', { name: /Stone Mug/ })).toBeVisible();
  await hand.choose('ArrowDown Enter', desk.getByRole('option', { name: /Stone Mug/ }));
  await expect(dialog.getByRole('textbox', { name: /^Pieces of Stone Mug/ })).toBeFocused();
  await hand.type('2');
  await expect(dialog.getByRole('status')).toContainText(/24\.00\D* more/);
  await day.answer(/^Change the items/);
  const { total } = await invoke<Sold>(desk, 'order.get', { orderId: changed });
  expect(total.amount).toBe(tea.price + POST + 2 * mug.price);

  const cancelled = await order((sale) => sale.status === 'pending' && sale.orderId !== changed);
  await hand.reach(action(desk, 'Cancel order'));
  if (hand.tool === 'keyboard') await hand.press('Enter');
  await hand.pick(dialog.getByRole('combobox', { name: 'Reason' }), 'No longer needed');
  const confirm = dialog.getByRole('button', { name: 'Cancel order and record the refund' });
  await hand.reach(confirm);
  if (hand.tool === 'keyboard') await hand.press('Enter');
  await expect(dialog).toHaveCount(0);
  expect(await invoke(desk, 'order.get', { orderId: cancelled })).toMatchObject({ status: 'cancelled' });
}

/** Takes cash out, and closes the day with a difference. */
async function evening(day: Day): Promise<void> {
  const { desk, hand } = day;
  const dialog = desk.getByRole('dialog');
  const today = desk.getByRole('navigation', { name: 'Pages' }).getByRole('button', { name: 'Today' });
  await hand.choose('Alt+1', today);
  const cash = desk.getByRole('region', { name: 'Cash of Main' });
  await expect(cash).toContainText('never closed');
  await hand.choose('Shift+F9', cash.getByRole('button', { name: 'Move cash' }));
  await hand.fill(dialog.getByRole('textbox', { name: /^Amount/ }), '-10');
  await hand.fill(dialog.getByRole('textbox', { name: /^Reason/ }), 'Stamps');
  await day.answer(/^Move cash/);
  await openPage(desk, 'Counter');
  type Preview = { expected: { amount: number } };
  const { expected } = await invoke<Preview>(desk, 'day.preview', {});
  await day.within('close', async () => {
    await hand.choose('Alt+1', today);
    await expect(cash).toBeVisible();
    await hand.choose('F9', cash.getByRole('button', { name: /^Close the day/ }));
    await hand.fill(dialog.getByRole('textbox', { name: /^Counted/ }), ((expected.amount - 5) / 100).toFixed(2));
    await day.answer(/^Close the day/);
  });
  await expect(cash).toContainText('closed with 1');
}

/** Opens a program on a new folder in the page, and ends it. */
async function inNewFolder(page: Page, run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'day-'));
  const port = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
  const env = { ...process.env, devserver: `127.0.0.1:${port}`, assetdir: 'dist' };
  const child = spawn(process.env.DESKHAND_PROGRAM ?? '', ['--data', folder], { env, stdio: 'ignore' });
  try {
    const address = `http://127.0.0.1:${port}/`;
    const answers = () =>
      fetch(address)
        .then(({ ok }) => ok)
        .catch(() => false);
    await expect.poll(answers, { timeout: 60_000 }).toBe(true);
    await dropCallsWhileLeaving(page);
    await page.goto(address);
    await run(folder);
  } finally {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes the shop by the first run and fills its shelf; a copy of it is where the reckoner begins. */
async function setUp(page: Page, { words, currency, reduced }: Country, folder: string): Promise<void> {
  const country = page.getByRole('combobox', { name: 'Country of the shop' });
  await country.click();
  await country.fill(words);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Currency' })).toHaveValue(new RegExp(currency));
  await expect(page.getByRole('checkbox', { name: 'Prices include the tax' })).toBeChecked();
  await page.getByRole('textbox', { name: 'Name of the shop' }).click();
  await typeText(page, 'Corner Shop');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1, name: 'Today' })).toBeVisible();
  await page.getByRole('region', { name: 'Tour' }).getByRole('button', { name: 'Not now' }).click();

  const { tax } = await invoke<{ tax: { id: string; ratePpm: number }[] }>(page, 'settings.get', {});
  const classes = [...tax.filter(({ id }) => id !== 'reduced'), { id: 'reduced', name: 'Reduced', ratePpm: reduced }];
  await invoke(page, 'settings.set', { section: 'tax', values: { classes } });
  const price = (amount: number) => ({ amount, currency });
  const methods = [{ id: 'post', name: 'Post', price: price(POST), days: 2 }]; // taxed as the goods are
  await invoke(page, 'settings.set', { section: 'shipping', values: { methods } });
  for (const { name, code, price: amount, taxClass } of Object.values(goods)) {
    const one = { price: price(amount), stock: 100, barcode: code };
    const large = { price: price(LARGE), stock: 100, options: { Size: 'L' } };
    const sizes = { options: ['Size'], variants: [{ ...one, options: { Size: 'S' } }, large] };
    await invoke(page, 'catalog.createProduct', {
      name,
      taxClass,
      ...(name === kettle.name ? sizes : { variants: [one] }),
    });
  }
  const address = { line1: '1 Quay', city: 'Port', postalCode: '10115', country: 'DE' };
  await invoke(page, 'customer.create', { name: 'Ana Address', address });
  const { customerId } = await invoke<{ customerId: string }>(page, 'customer.create', { name: 'Gina Gift' });
  await invoke(page, 'customer.addPaymentMethod', { customerId, kind: 'giftCard', balance: price(1000) });
  const { file } = await invoke<{ file: string }>(page, 'shop.backup', {});
  copyFileSync(file, join(folder, 'opening.db'));
}

/** Replays the log of the shop in another program for its money. */
function reckon(folder: string): void {
  const args = ['-count=1', '-run=^TestAShopAgreesWithTheReckoner$', './shop', '-args', '-shop', folder];
  execFileSync('go', ['test', ...args], { cwd: '..', env: { ...process.env, CGO_ENABLED: '0' }, encoding: 'utf8' });
}

const many = (kind: Kind, times: number) => Array<Kind>(times).fill(kind);
const twenty: Kind[] = [
  ...(['cash', 'search', 'split', 'giftCard', 'openItem', 'linePrice', 'mixed', 'kettle', 'transfer'] as const),
  ...[...many('cash', 4), ...many('search', 2), ...many('split', 2), 'openItem' as const, 'linePrice' as const],
  'transfer',
];
const exact = (price: number) => price;
const countries: Record<string, Country> = {
  German: { words: 'germ', currency: 'EUR', tool: 'keyboard', reduced: 70_000, inCash: exact, kinds: twenty },
  English: { words: 'united kingd', currency: 'GBP', tool: 'mouse', reduced: 0, inCash: exact, kinds: twenty },
  Swiss: {
    ...{ words: 'switz', currency: 'CHF', tool: 'touch', reduced: 26_000, inCash: () => 255 },
    kinds: ['rounded', 'cash', 'split', 'transfer', 'mixed', 'kettle'],
  },
};
for (const [name, country] of Object.entries(countries))
  test.describe(`a ${name} shop`, () => {
    test.use({ hasTouch: country.tool === 'touch' });
    test(`sells for a day by ${country.tool}, and adds up`, { tag: '@long' }, ({ page }) =>
      inNewFolder(page, async (folder) => {
        await setUp(page, country, folder);
        if (country.tool === 'touch') {
          await invoke(page, 'density.set', { density: 'touch' });
          await expect(page.locator('html')).toHaveAttribute('data-density', 'touch');
        }
        await openPage(page, 'Counter');
        const day = new Day(new Hand(page, country.tool), country);
        for (const kind of country.kinds) await kinds[kind](day);
        expect(day.sales).toHaveLength(country.kinds.length);
        await afterwards(day);
        await evening(day);
        reckon(folder);
      }),
    );
  });
