import { expect, type Page } from '@playwright/test';
import { invoke } from './bridge';
import { openPage, real, test } from './desk';
import { action, cartOf, find, Hand, lastSale, reason, sell, type Tool } from './hand';
import { look } from './look';

/*
 * A day at the counter: thirty sales of eight kinds, by keyboard alone, by touch alone and by mouse. A scan, a key, a
 * click, a tap and what is typed into one field are one input each; how many a sale takes is in docs/comparison.md, and
 * what the day came to is read from the application.
 */
test.skip(!real, 'a day adds up in the real shop');
test.use({ actionTimeout: 60_000 });

/** Goods of the sample shop: the price and the tax of one, in cents. */
const goods = {
  gayo: { query: 'NL-GAY-250-GR', price: 1760, tax: 0 },
  cajamarca: { query: 'NL-CAJ-250-GR', price: 1720, tax: 0 },
  mug: { query: 'NL-ENA-01', price: 1600, tax: 88 },
} as const;
type Good = keyof typeof goods;
const names = Object.keys(goods) as Good[];

const SHIPPING = 495;

const kinds = [
  'cash',
  'several',
  'discount',
  'card',
  'pickUp',
  'deliver',
  'newCustomer',
  'return',
  'exchange',
] as const;
type Kind = (typeof kinds)[number];

/** How often each is done in thirty sales; what comes back, or is exchanged, is the eighth kind. */
const often: Record<Kind, number> = {
  ...{ cash: 8, several: 4, discount: 3, card: 5, pickUp: 3, deliver: 3, newCustomer: 2, return: 1, exchange: 1 },
};

/** The sales in turn: each kind once, then those that are left of it, but for what comes back. */
const once = kinds.map((kind) => kind);
const thirty = [...once, ...kinds.flatMap((kind) => Array<Kind>(often[kind] - 1).fill(kind))];

const codes: Partial<Record<Good, string>> = {};

const money = (cents: number) => `$${(cents / 100).toFixed(2)}`;

/** What one sale is for the books. */
interface Sale {
  orderId: string;
  pieces: Partial<Record<Good, number>>;
  total: number;
  discount?: number;
  shipping?: number;
  paidBy: string;
  status: 'delivered' | 'pending';
}

/** Sells what is in the cart when the total is the one that was meant. */
async function sold(hand: Hand, keys: string, sale: Omit<Sale, 'orderId'>): Promise<Sale> {
  const { desk } = hand;
  await expect(sell(desk)).toContainText(money(sale.total));
  await hand.choose(keys, sell(desk));
  await expect(lastSale(desk)).toContainText(`${money(sale.total)} recorded`);
  return { ...sale, orderId: (await lastSale(desk).textContent())?.match(/#W\d{7}/)?.[0] ?? '' };
}

const takenAlong = { paidBy: 'Cash', status: 'delivered' } as const;

const sales: Record<Exclude<Kind, 'return' | 'exchange'>, (hand: Hand) => Promise<Sale>> = {
  async cash(hand) {
    await hand.scan(codes.gayo ?? '');
    return sold(hand, 'F9', { ...takenAlong, pieces: { gayo: 1 }, total: 1760 });
  },
  async several(hand) {
    for (const good of names) await hand.scan(codes[good] ?? '');
    const quantity = cartOf(hand.desk).getByRole('textbox', { name: /^Quantity of .*Mug/ });
    await expect(quantity).toHaveValue('1');
    await hand.choose('F5', quantity);
    await hand.type('3');
    return sold(hand, 'F9', {
      ...takenAlong,
      pieces: { gayo: 1, cajamarca: 1, mug: 3 },
      total: 1760 + 1720 + 3 * 1688,
    });
  },
  async discount(hand) {
    const { desk } = hand;
    await hand.scan(codes.gayo ?? '');
    await expect(sell(desk)).toBeVisible();
    await hand.choose('F10', cartOf(desk).getByRole('button', { name: 'Discount' }));
    await hand.type('10');
    await hand.choose('Enter', desk.getByRole('dialog').getByRole('button', { name: 'Give the discount' }));
    return sold(hand, 'F9', { ...takenAlong, pieces: { gayo: 1 }, discount: 176, total: 1584 });
  },
  async card(hand) {
    const { desk } = hand;
    await hand.scan(codes.mug ?? '');
    await expect(sell(desk)).toBeVisible();
    await hand.choose('F4 F4', cartOf(desk).getByRole('button', { name: 'Card', exact: true }));
    return sold(hand, 'Enter', { ...takenAlong, pieces: { mug: 1 }, paidBy: 'Card', total: 1688 });
  },
  async pickUp(hand) {
    const { desk } = hand;
    await hand.scan(codes.cajamarca ?? '');
    await expect(sell(desk)).toBeVisible();
    await hand.choose('Shift+F4', cartOf(desk).getByText('Pick up', { exact: true }));
    await expect(cartOf(desk).getByRole('radio', { name: 'Pick up' })).toBeChecked();
    await expect(sell(desk)).toContainText('Submit order');
    return sold(hand, 'F9', { pieces: { cajamarca: 1 }, paidBy: 'Cash', status: 'pending', total: 1720 });
  },
  async deliver(hand) {
    const { desk } = hand;
    await hand.choose('F3', cartOf(desk).getByRole('button', { name: 'Choose customer' }));
    await hand.type('Ana Ruiz');
    await hand.choose(
      'Enter',
      desk.getByRole('listbox', { name: 'Customers found' }).getByRole('option', { name: /Ana Ruiz/ }),
    );
    await expect(cartOf(desk)).toContainText('Ana Ruiz');
    await hand.scan(codes.gayo ?? '');
    const paidBy = 'Visa ending 4242';
    const sale = {
      pieces: { gayo: 1 },
      shipping: SHIPPING,
      paidBy,
      status: 'pending',
      total: 1760 + SHIPPING,
    } as const;
    return sold(hand, 'F9', sale);
  },
  async newCustomer(hand) {
    const { desk } = hand;
    await hand.choose('Shift+F3', cartOf(desk).getByRole('button', { name: 'New customer' }));
    const dialog = desk.getByRole('dialog', { name: 'Add a customer' });
    await expect(dialog.getByRole('textbox', { name: 'Name' })).toBeFocused();
    const name = `Kim ${Date.now()}`;
    await hand.type(name);
    for (const [field, text] of [
      ['Street', '1 Pier Road'],
      ['City', 'Bath'],
      ['Postal code', '04530'],
      ['Country', 'US'],
    ] as const) {
      const named = { name: field, exact: true };
      const there = dialog.getByRole('textbox', named).or(dialog.getByRole('combobox', named));
      if (await there.inputValue()) continue;
      await hand.reach(there);
      await hand.type(text);
    }
    await hand.choose('Enter', dialog.getByRole('button', { name: 'Add the customer' }));
    await expect(dialog).toHaveCount(0);
    await expect(cartOf(desk)).toContainText(name);
    await hand.scan(codes.cajamarca ?? '');
    const sale = { pieces: { cajamarca: 1 }, shipping: SHIPPING, paidBy: 'Cash', status: 'pending' } as const;
    return sold(hand, 'F9', { ...sale, total: 1720 + SHIPPING });
  },
};

/** Takes the only piece of an order back, with a reason. */
async function takeBack(hand: Hand): Promise<void> {
  const { desk } = hand;
  await expect(action(desk, 'Return')).toBeVisible();
  await hand.choose('F4', action(desk, 'Return'));
  const dialog = desk.getByRole('dialog');
  await expect(dialog.getByRole('combobox', { name: 'Reason' }), 'the only piece is meant').toBeFocused();
  await reason(hand, 'c', 'Changed their mind');
  await expect(dialog.getByRole('status')).toContainText('$17.60 refunded to Cash');
  await hand.choose('Enter', dialog.getByRole('button', { name: 'Take back and record the refund' }));
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('region', { name: 'Lines', exact: true })).toContainText('Came back');
}

/** Exchanges the only piece of an order for the same. */
async function exchange(hand: Hand): Promise<void> {
  const { desk } = hand;
  const dialog = desk.getByRole('dialog');
  await expect(action(desk, 'Exchange')).toBeVisible();
  await hand.choose('F5', action(desk, 'Exchange'));
  await hand.reach(dialog.getByRole('combobox', { name: /^Instead of/ }));
  const same = desk.getByRole('option', { name: 'The same again' });
  if (hand.tool === 'keyboard') {
    await hand.press('ArrowDown');
    await expect(same).toBeVisible();
    await expect(same).toHaveAttribute('data-combobox-selected', 'true');
  }
  await hand.choose('Enter', same);
  if (hand.tool === 'keyboard') await hand.reach(dialog.getByRole('combobox', { name: 'Reason' }));
  await reason(hand, 'f', 'Faulty');
  await expect(dialog.getByRole('status')).toContainText('It comes to the same');
  await hand.choose('Enter', dialog.getByRole('button', { name: 'Note the exchange' }));
  await expect(dialog).toHaveCount(0);
  const receive = action(desk, 'Receive the exchange');
  await expect(receive).toBeVisible();
  await hand.choose('F5', receive);
  await expect(dialog.getByRole('status')).toContainText('It comes to the same');
  await hand.choose('Enter', dialog.getByRole('button', { name: 'Record the exchange' }));
  await expect(dialog).toHaveCount(0);
}

interface Books {
  orders: number;
  grossSales: number;
  discounts: number;
  returns: number;
  shipping: number;
  tax: number;
  totalSales: number;
  stock: Record<Good, number>;
}

/** What the application says the days around today came to, and what is on the shelf. */
async function booksOf(desk: Page): Promise<Books> {
  const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
  type Totals = { orders: number } & Record<Exclude<keyof Books, 'orders' | 'stock'>, { amount: number }>;
  const { totals } = await invoke<{ totals: Totals }>(desk, 'report.sales', { from: day(-1), to: day(1) });
  const stock: Partial<Books['stock']> = {};
  for (const good of names) {
    type Found = {
      products: { matchedVariantId?: string; variants: { id: string; stock: number; barcode: string }[] }[];
    };
    const { products } = await invoke<Found>(desk, 'catalog.search', { query: goods[good].query });
    const variant = products[0]?.variants.find(({ id }) => id === products[0]?.matchedVariantId);
    stock[good] = variant?.stock ?? 0;
    codes[good] = variant?.barcode;
  }
  const { orders, grossSales, discounts, returns, shipping, tax, totalSales } = totals;
  return {
    ...{ orders, grossSales: grossSales.amount, discounts: discounts.amount, returns: returns.amount },
    ...{ shipping: shipping.amount, tax: tax.amount, totalSales: totalSales.amount, stock: stock as Books['stock'] },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
const pieces = (day: readonly Sale[], good: Good) => sum(day.map((sale) => sale.pieces[good] ?? 0));

/** The books after a day. */
function after(before: Books, day: readonly Sale[]): Books {
  const gross = sum(names.map((good) => pieces(day, good) * goods[good].price));
  const tax = pieces(day, 'mug') * goods.mug.tax;
  const [discounts, shipping] = [
    sum(day.map(({ discount = 0 }) => discount)),
    sum(day.map((sale) => sale.shipping ?? 0)),
  ];
  const back = goods.gayo.price; // one bag, which goes back on the shelf
  return {
    orders: before.orders + day.length,
    grossSales: before.grossSales + gross,
    discounts: before.discounts + discounts,
    returns: before.returns + back,
    shipping: before.shipping + shipping,
    tax: before.tax + tax,
    totalSales: before.totalSales + gross - discounts - back + shipping + tax,
    stock: {
      gayo: before.stock.gayo - pieces(day, 'gayo') + 1,
      cajamarca: before.stock.cajamarca - pieces(day, 'cajamarca'),
      mug: before.stock.mug - pieces(day, 'mug') - 1, // a faulty one comes back, another leaves
    },
  };
}

interface Order {
  status: string;
  payments: { kind: string; label: string; amount: { amount: number } }[];
}

/** The inputs of each kind, whoever does it. */
const inputs: Record<Tool, Record<Kind, number>> = {
  keyboard: {
    ...{ cash: 2, several: 6, discount: 5, card: 4, pickUp: 3, deliver: 5, newCustomer: 17, return: 3, exchange: 10 },
  },
  touch: {
    ...{ cash: 2, several: 6, discount: 5, card: 3, pickUp: 3, deliver: 5, newCustomer: 11, return: 4, exchange: 8 },
  },
  mouse: {
    ...{ cash: 2, several: 6, discount: 5, card: 3, pickUp: 3, deliver: 5, newCustomer: 11, return: 4, exchange: 8 },
  },
};

async function aDay(desk: Page, tool: Tool, all: readonly Kind[]): Promise<void> {
  await invoke(desk, 'cart.setCustomer', { walkIn: true });
  const { items } = await invoke<{ items: unknown[] }>(desk, 'cart.getSummary', {});
  if (items.length > 0) await invoke(desk, 'cart.clear', {});
  await invoke(desk, 'cart.setShipping', { fulfilment: 'takeAway' });
  await expect(cartOf(desk)).toContainText('The cart is empty');
  const lines = names.map((good) => ({ variantId: goods[good].query, quantity: 40 }));
  await invoke(desk, 'catalog.receiveStock', { lines }); // the other days of the shop sold from the same shelf
  const before = await booksOf(desk);
  const hand = new Hand(desk, tool);
  const day: Sale[] = [];
  const counted: Partial<Record<Kind, number>> = {};
  for (const kind of all) {
    const bag = day.find(({ pieces: { gayo }, status }) => gayo === 1 && status === 'delivered');
    const mug = day.find(({ paidBy }) => paidBy === 'Card');
    if (kind === 'return' && bag) await find(hand, bag.orderId);
    if (kind === 'exchange' && mug) await find(hand, mug.orderId);
    hand.inputs = 0;
    if (kind === 'return') await takeBack(hand);
    else if (kind === 'exchange') await exchange(hand);
    else day.push(await sales[kind](hand));
    expect(counted[kind] ?? hand.inputs, `${kind} takes as many inputs each time`).toBe(hand.inputs);
    counted[kind] = hand.inputs;
    if (kind === 'return' || kind === 'exchange') await openPage(desk, 'Counter');
  }
  if (tool === 'touch') await look(desk, 'day-touch');
  expect(counted).toEqual(inputs[tool]);

  const books = await booksOf(desk);
  expect(books).toEqual(after(before, day));
  for (const { orderId, ...sale } of day) {
    const { status, payments } = await invoke<Order>(desk, 'order.get', { orderId });
    expect(status, orderId).toBe(sale.status);
    const [paid] = payments.filter(({ kind }) => kind === 'payment');
    expect([paid?.label, paid?.amount.amount], orderId).toEqual([sale.paidBy, sale.total]);
  }
}

test.afterEach(async ({ desk }) => {
  await invoke(desk, 'density.set', { density: 'system' });
});

const tools = ['keyboard', 'mouse', 'touch'] as const;
for (const tool of tools)
  test.describe(`by ${tool}`, () => {
    test.use({ hasTouch: tool === 'touch' });
    test.beforeEach(async ({ desk }) => {
      if (tool !== 'touch') return;
      await invoke(desk, 'density.set', { density: 'touch' });
      await expect(desk.locator('html')).toHaveAttribute('data-density', 'touch');
    });
    test('a sale of each kind', { tag: tool === 'keyboard' ? [] : '@long' }, async ({ desk }) =>
      aDay(desk, tool, once),
    );
    test('thirty sales', { tag: '@long' }, async ({ desk }) => aDay(desk, tool, thirty));
  });
