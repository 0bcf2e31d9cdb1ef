// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { counterShop } from '../../shop/fake/counter';
import { products, usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { CounterPage } from './CounterPage';
import { Scanner } from './Scanner';

const [product] = products;
const variant = product?.variants[0];
if (!product || !variant) throw new Error('the fake shop has products');

const nothing = () => undefined;
const wait = (ms: number) => act(() => new Promise((later) => setTimeout(later, ms)));

/** The counter with one piece in Ana's cart; the answers of some capabilities are left to the test. */
async function opened(...waiting: string[]) {
  const { backend, sent, become } = counterShop(...waiting);
  const { user } = show(
    backend,
    <>
      <CounterPage
        picking={false}
        {...{ onPick: nothing, onOpenOrder: nothing, newProduct: () => null, newCustomer: () => null }}
      />
      <Scanner />
      <textarea aria-label="Message" />
    </>,
  );
  const quantity = (await screen.findByRole('textbox', { name: /^Quantity of/ })) as HTMLInputElement;
  const sell = screen.getByRole('button', { name: /^Submit order/ });
  await waitFor(() => expect(sell.getAttribute('aria-disabled')).toBeNull());
  const search = screen.getByRole('combobox', { name: 'Search products' }) as HTMLInputElement;
  return { backend, user, quantity, sell, sent, become, search };
}

/** Types a code as a scanner does: all keys in the same moment. */
const scan = (code: string, at = performance.timeOrigin) =>
  act(() => {
    for (const key of [...code, 'Enter']) {
      const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
      Object.defineProperty(event, 'timeStamp', { value: at });
      document.activeElement?.dispatchEvent(event);
    }
  });

const takeAlong = '{Shift>}{F4}{/Shift}';
const receipt = { orderId: '#W9', fulfilment: 'deliver', estimatedDelivery: '2026-12-01', total: usd(100) };

describe('F9 while a change of the cart is under way', () => {
  it('submits what the screen shows, when the answer has come', async () => {
    const { user, sent, become } = await opened('cart.setShipping', 'checkout.submit');
    await user.keyboard(`${takeAlong}{F9}`);
    await wait(60);
    expect(screen.getByRole('radio', { name: 'Take along' })).toHaveProperty('checked', true);
    expect(sent('checkout.submit')).toEqual([]);
    await become({ fulfilment: 'takeAway', total: usd(1900) }, false);
    await act(async () => sent('cart.setShipping')[0]?.answer({}));
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({
      fulfilment: 'takeAway',
      expectedTotal: { amount: 1900, currency: 'USD' },
    });
    expect(sent('checkout.submit')[0]?.arguments.shippingAddressId).toBeUndefined();
  });

  it('submits what the screen shows where the answer has come, and the cart not yet', async () => {
    const { user, sent, become } = await opened('cart.setShipping', 'checkout.submit');
    await user.keyboard(takeAlong);
    await become({ fulfilment: 'takeAway' }, false);
    await act(async () => sent('cart.setShipping')[0]?.answer({}));
    await user.keyboard('{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({ fulfilment: 'takeAway' });
  });

  it('submits nothing when the change is refused', async () => {
    const { user, sent } = await opened('cart.setShipping', 'checkout.submit');
    await user.keyboard(`${takeAlong}{F9}`);
    await waitFor(() => expect(sent('cart.setShipping')).toHaveLength(1));
    await act(async () => sent('cart.setShipping')[0]?.refuse('PRECONDITION_FAILED', 'This one is only delivered.'));
    await screen.findByText('This one is only delivered.');
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    expect(screen.getByRole('radio', { name: 'Deliver' })).toHaveProperty('checked', true);
  });

  it('submits nothing when another window made it something else meanwhile, and shows that', async () => {
    const { user, sent, become } = await opened('cart.setShipping', 'checkout.submit');
    await user.keyboard(`${takeAlong}{F9}`);
    await become({ fulfilment: 'pickUp' });
    await act(async () => sent('cart.setShipping')[0]?.answer({}));
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    expect(screen.getByRole('radio', { name: 'Pick up' })).toHaveProperty('checked', true);
  });

  it('waits for a line that is being removed, by the button as well', async () => {
    const { user, sell, sent, become } = await opened('cart.removeItem', 'checkout.submit');
    await user.click(screen.getByRole('button', { name: /^Remove / }));
    await user.click(sell);
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    await become({ total: usd(700) }, false);
    await act(async () => sent('cart.removeItem')[0]?.answer({}));
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({ expectedTotal: { amount: 700 } });
  });

  it.each([
    ['with what was scanned', true],
    ['not, when that is no product', false],
  ])('waits for the answer to a scan, and submits %s', async (_, known) => {
    const { user, sent } = await opened('catalog.search', 'cart.addItem', 'checkout.submit');
    scan(variant.sku ?? '');
    await user.keyboard('{F9}');
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    const found = [{ ...product, matchedVariantId: variant.id }];
    await act(async () => {
      for (const one of sent('catalog.search')) one.answer({ products: known ? found : [], hasMore: false });
    });
    if (known) {
      await waitFor(() => expect(sent('cart.addItem')).toHaveLength(1));
      expect(sent('checkout.submit')).toEqual([]);
      await act(async () => sent('cart.addItem')[0]?.answer({ itemCount: 2, cartTotal: usd(1) }));
      await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    }
    await wait(60);
    expect(sent('checkout.submit')).toHaveLength(known ? 1 : 0);
  });

  it('waits for what Enter in the search is to add', async () => {
    const { user, search, sent } = await opened('catalog.search', 'cart.addItem', 'checkout.submit');
    await user.click(search);
    await user.keyboard(`${variant.sku}{Enter}{F9}`);
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    const found = { products: [{ ...product, matchedVariantId: variant.id }], hasMore: false };
    await act(async () => {
      for (const one of sent('catalog.search')) one.answer(found);
    });
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(1));
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    await act(async () => sent('cart.addItem')[0]?.answer({ itemCount: 2, cartTotal: usd(1) }));
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
  });
});

// build/cards.sh gives each round another seed.
const seed = Number(process.env.CARD_SEED ?? 1);

/** Numbers from 0 to below 1, the same for the same seed. */
function randomOf(start: number) {
  let state = start * 2_654_435_761 + 1;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) >>> 0;
    return state / 2 ** 32;
  };
}

const ways = [
  ['Take along', 'takeAway', 1900],
  ['Pick up', 'pickUp', 1950],
  ['Deliver', 'deliver', 2444],
] as const;

it.each([0, 1, 2, 3])('sells the choices on the screen, also when answers come after F9: %d', async (round) => {
  const random = randomOf(seed * 4 + round);
  const any = <T,>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  const { user, sell, sent, become } = await opened('cart.setShipping', 'checkout.submit');
  const chosen = Array.from({ length: 1 + Math.floor(random() * 2) }, () => any(ways));
  for (const [name] of chosen) await user.click(screen.getByRole('radio', { name }));
  await user.keyboard('{F9}');
  if (random() < 0.3) await user.click(sell);
  let refused = false;
  for (let n = 0; n < 6; n++) {
    await wait(20);
    const asked = sent('cart.setShipping')[n];
    if (!asked) break;
    expect(sent('checkout.submit'), 'nothing is sold while an answer is under way').toEqual([]);
    refused = random() < 0.3;
    const [, fulfilment, total] = ways.find(([, way]) => way === asked.arguments.fulfilment) ?? ways[2];
    const told = random() < 0.5; // before the answer, or after it
    if (!refused) await become({ fulfilment, total: usd(total) }, told);
    await act(async () => (refused ? asked.refuse('PRECONDITION_FAILED', 'Not this one.') : asked.answer({})));
    if (!refused && !told) await become({});
    if (refused) break;
  }
  await wait(80);
  const sold = sent('checkout.submit');
  expect(sold.length).toBeLessThanOrEqual(1);
  if (refused) expect(sold).toEqual([]);
  for (const { arguments: args } of sold) {
    const [name, fulfilment] = ways.find(([, way]) => way === args.fulfilment) ?? [];
    expect(fulfilment, 'what is sold says how').toBeDefined();
    expect(screen.getByRole('radio', { name: `${name}` })).toHaveProperty('checked', true);
    const total = (args.expectedTotal as { amount: number }).amount;
    expect(sell.textContent?.replaceAll(/\D/g, '')).toContain(String(total));
  }
});

it('what was chosen once is not shown again when another window goes back to what was before', async () => {
  const { user, become } = await opened('cart.setShipping');
  await user.keyboard(takeAlong);
  await become({ fulfilment: 'takeAway', total: usd(1900) });
  await screen.findByRole('button', { name: /^Sell · \$19\.00/ });
  await become({ fulfilment: 'deliver' });
  await waitFor(() => expect(screen.getByRole('radio', { name: 'Deliver' })).toHaveProperty('checked', true));
});

describe('a quantity that is typed', () => {
  it.each([
    ['1,5', 'Whole numbers only'],
    ['0.5', 'Whole numbers only'],
    ['x', 'Not a number'],
    ['1.234', 'This may mean 1,234 or 1.234. For 1,234 type 1234.'],
    ['-2', 'At least 0'],
  ])('%s has its reason at the field, and nothing is sold in its place', async (typed, reason) => {
    const { user, quantity, sent } = await opened('cart.setQuantity', 'cart.removeItem', 'checkout.submit');
    await user.click(quantity);
    await user.keyboard(`${typed}{F9}`);
    await screen.findByText(reason);
    await wait(400);
    expect(quantity.value).toBe(typed);
    expect(sent('checkout.submit')).toEqual([]);
    expect(
      [...sent('cart.setQuantity'), ...sent('cart.removeItem')].map((one) => one.arguments.quantity),
    ).not.toContain(15);
    expect(document.activeElement).toBe(quantity);
  });

  it.each([
    ['05', 5],
    ['012', 12],
    ['1,234', 1234],
    ['3.0', 3],
  ])('%s is sold as %d', async (typed, pieces) => {
    const { backend, user, quantity, sent } = await opened('checkout.submit');
    await user.click(quantity);
    await user.keyboard(`${typed}{F9}`);
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(backend.shop.lines[0]?.quantity).toBe(pieces);
  });

  it('is the known one again where the field was left empty, and is not sold while it is empty', async () => {
    const { user, quantity, search, sent } = await opened('checkout.submit');
    await user.click(quantity);
    await user.keyboard('{Backspace}{F9}');
    await wait(60);
    expect(sent('checkout.submit')).toEqual([]);
    await user.click(search);
    expect(quantity.value).toBe('1');
  });
});

describe('after a sale', () => {
  const sold = async () => {
    const window = await opened('checkout.submit');
    const { user, sent, backend } = window;
    await user.keyboard('{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    const answer = () =>
      act(async () => {
        backend.shop.lines = [];
        sent('checkout.submit')[0]?.answer(receipt);
      });
    return { ...window, answer };
  };

  it('the focus is in the search, which is empty, from wherever it was in the counter', async () => {
    const { user, quantity, search, answer } = await sold();
    await user.type(search, 'old words');
    await user.click(quantity);
    await answer();
    await waitFor(() => expect(document.activeElement).toBe(search));
    expect(search.value).toBe('');
    await user.keyboard('guji');
    expect(search.value).toBe('guji');
  });

  it('what was typed into the search meanwhile goes on', async () => {
    const { user, search, answer } = await sold();
    await user.click(search);
    await user.keyboard('gu');
    await answer();
    await user.keyboard('ji');
    expect(search.value).toBe('guji');
  });

  it('the focus stays where something else is typed', async () => {
    const { user, answer } = await sold();
    await user.click(screen.getByRole('textbox', { name: 'Message' }));
    await user.keyboard('to Ana');
    await answer();
    await wait(60);
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  });

  it('the order is the next thing that Tab reaches behind the search', async () => {
    const { user, answer } = await sold();
    await answer();
    await user.tab();
    expect(document.activeElement?.textContent).toBe('Open order');
  });
});

describe('a key that is held', () => {
  it('adds one piece', async () => {
    const { user, search, sent } = await opened('cart.addItem');
    await user.click(search);
    await screen.findAllByRole('row');
    await user.keyboard('{ArrowDown}{Enter>13/}');
    await wait(60);
    expect(sent('cart.addItem')).toHaveLength(1);
  });

  it('chooses one way to get the goods', async () => {
    const { user, sent } = await opened('cart.setShipping');
    await user.keyboard('{Shift>}{F4>5/}{/Shift}');
    await wait(60);
    expect(sent('cart.setShipping')).toHaveLength(1);
  });
});

describe('so many pieces', () => {
  const found = [{ ...product, matchedVariantId: variant.id }];
  const asked = (one: { arguments: object }) => 'query' in one.arguments && one.arguments.query === variant.sku;

  it('are put into the cart by a scan after their number, which is used up', async () => {
    const { user, sent, search } = await opened('catalog.search', 'cart.addItem');
    await user.type(search, '3*');
    const scanned = async (times: number) => {
      scan(variant.sku ?? '', 1e13 + times * 1000); // some time after the keys before it
      await waitFor(() => expect(sent('catalog.search').filter(asked)).toHaveLength(times));
      await act(async () => sent('catalog.search').filter(asked).at(-1)?.answer({ products: found, hasMore: false }));
    };
    await scanned(1);
    await waitFor(() => expect(sent('cart.addItem')[0]?.arguments).toMatchObject({ quantity: 3 }));
    await act(async () => sent('cart.addItem')[0]?.answer({ itemCount: 4, cartTotal: usd(1) }));
    await waitFor(() => expect(search.value).toBe(''));
    await scanned(2);
    await waitFor(() => expect(sent('cart.addItem')[1]?.arguments).toMatchObject({ quantity: 1 }));
  });

  it('are put into the cart by a name after their number', async () => {
    const { user, sent, search } = await opened('catalog.search', 'cart.addItem');
    await user.type(search, `4*${product?.name}{Enter}`);
    await waitFor(() => expect(sent('catalog.search').at(-1)?.arguments).toMatchObject({ query: product?.name }));
    await act(async () => {
      for (const one of sent('catalog.search')) one.answer({ products: found, hasMore: false });
    });
    await waitFor(() => expect(sent('cart.addItem')[0]?.arguments).toMatchObject({ quantity: 4 }));
  });

  it('are not asked for by their number alone', async () => {
    const { user, sent, search } = await opened('catalog.search', 'cart.addItem');
    await user.type(search, '4*{Enter}');
    await wait(60);
    expect(sent('catalog.search').filter((one) => one.arguments.query === '')).toEqual([]);
    expect(sent('cart.addItem')).toEqual([]);
  });
});
