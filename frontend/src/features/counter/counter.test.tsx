// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { customers, products } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import { CounterPage } from './CounterPage';
import { useSendWaiting } from './waiting';

const [product] = products;
const variant = product?.variants[0];
if (!product || !variant) throw new Error('the fake shop has products');
const sku = variant.sku ?? '';

const nothing = () => undefined;

/** What waits is sent, and what was refused is noted: as beside the pages, where scans are heard too. */
const refused: string[] = [];
function Sends() {
  useSendWaiting((name, why) => refused.push(`${name}: ${why}`));
  return null;
}

/** The counter, with the customer picker open or not. */
const counter = (backend: WaitingBackend, picking: boolean) =>
  show(
    backend,
    <>
      <Sends />
      <CounterPage
        {...{ picking, onPick: nothing, onOpenOrder: nothing, newProduct: () => null, newCustomer: () => null }}
      />
    </>,
  );

/** The counter with one piece in Ana's cart, and the answers of some capabilities left to the test. */
async function opened(...waiting: string[]) {
  const backend = new WaitingBackend();
  backend.shop.customer = customers[0];
  const changed = (domain: string) => backend.emit('bus', { type: 'stateChange', domain, ids: [] });
  const call = (args: object) => ({ args: args as never, caller: { type: 'ui' }, requestId: 'r', changed });
  backend.shop.add(call({ productId: product?.id, variantId: variant?.id, quantity: 1 }));
  for (const name of waiting) backend.wait(name);
  const { user } = counter(backend, false);
  const quantity = (await screen.findByRole('textbox', { name: /^Quantity of/ })) as HTMLInputElement;
  /** Another window sets the quantity. */
  const elsewhere = (pieces: number) =>
    act(async () => {
      backend.shop.setQuantity(call({ variantId: variant?.id, quantity: pieces }));
    });
  const sent = (name: string) => backend.asks.filter(({ capability }) => capability === name);
  return { backend, user, quantity, elsewhere, sent };
}

const wait = (ms: number) => act(() => new Promise((later) => setTimeout(later, ms)));
const inCart = () => within(screen.getByRole('list', { name: 'In the cart' })).getAllByRole('listitem');

describe('a line of the cart', () => {
  it('keeps the quantity that is half typed when another window sets one, and sends it', async () => {
    const { user, quantity, elsewhere, sent } = await opened('cart.setQuantity');
    await user.click(quantity);
    await user.keyboard('3');
    await elsewhere(7);
    await wait(60);
    expect(quantity.value).toBe('3');
    await waitFor(() =>
      expect(sent('cart.setQuantity').map((one) => one.arguments)).toEqual([{ variantId: variant.id, quantity: 3 }]),
    );
  });

  it('follows the quantity that another window sets, when nobody types', async () => {
    const { quantity, elsewhere } = await opened();
    await elsewhere(7);
    await waitFor(() => expect(quantity.value).toBe('7'));
  });

  it('shows again what is in the cart when its quantity is refused, and says why', async () => {
    const { user, quantity, sent } = await opened('cart.setQuantity');
    await user.click(quantity);
    await user.keyboard('90');
    await waitFor(() => expect(sent('cart.setQuantity')).toHaveLength(1));
    sent('cart.setQuantity')[0]?.refuse('PRECONDITION_FAILED', 'There are 4 of it.');
    await screen.findByText('There are 4 of it.');
    expect(quantity.value).toBe('1');
  });

  it('keeps the focus on Remove until it is gone, and removes once however often it is pressed', async () => {
    const { user, sent } = await opened('cart.removeItem');
    const button = screen.getByRole('button', { name: /^Remove / });
    await user.click(button);
    await wait(20);
    expect(document.activeElement).toBe(button);
    expect(button).toHaveProperty('disabled', false); // a browser takes the focus from one that is
    await user.keyboard('{Enter}');
    await user.click(button);
    expect(sent('cart.removeItem')).toHaveLength(1);
    sent('cart.removeItem')[0]?.refuse('TRANSIENT', 'The disk is full.');
    await screen.findByText('The disk is full.');
    expect(document.activeElement).toBe(button);
  });
});

describe('the search of products', () => {
  const field = () => screen.getByRole('combobox', { name: 'Search products' }) as HTMLInputElement;
  const found = { products: [{ ...product, matchedVariantId: variant.id }], hasMore: false };

  it('puts one into the cart for an Enter that is pressed twice before the answer', async () => {
    const { user, sent } = await opened('catalog.search', 'cart.addItem');
    await user.click(field());
    await user.keyboard(`${sku}{Enter}{Enter}`);
    for (const one of sent('catalog.search')) one.answer(found);
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(1));
    await wait(60);
    expect(sent('cart.addItem').map((one) => one.arguments)).toEqual([
      { productId: product.id, variantId: variant.id, quantity: 1 },
    ]);
  });

  it('puts nothing into the cart for an answer that comes after the person has typed on', async () => {
    const { user, sent } = await opened('catalog.search', 'cart.addItem');
    await user.click(field());
    await user.keyboard(`${sku}{Enter}x`);
    for (const one of sent('catalog.search')) one.answer(found);
    await wait(60);
    expect(sent('cart.addItem')).toEqual([]);
    expect(field().value).toBe(`${sku}x`);
  });

  it('says why something was not put into the cart, and keeps the focus and the text', async () => {
    const { user, sent } = await opened('cart.addItem');
    await user.click(field());
    await user.keyboard(`${sku}{Enter}`);
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(1));
    sent('cart.addItem')[0]?.refuse('PRECONDITION_FAILED', 'It is sold out.');
    await screen.findByText('It is sold out.');
    expect(document.activeElement).toBe(field());
    expect(field().value).toBe(sku);
  });
});

describe('the checkout', () => {
  const total = () => screen.getByRole('button', { name: /^Submit order/ });

  it('sells once however often F9 is pressed, for the total that was shown', async () => {
    const { backend, user, sent } = await opened('checkout.submit');
    await waitFor(() => expect(total().getAttribute('aria-disabled')).toBeNull());
    const { amount } = backend.shop.summary().total;
    await user.keyboard('{F9}{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    await user.keyboard('{F9}');
    await wait(60);
    expect(sent('checkout.submit').map((one) => one.arguments)).toMatchObject([{ expectedTotal: { amount } }]);
  });

  it.each(['{F9}', '{F4}{F4}{Enter}'])('sells by %s before the page knows that it may', async (keys) => {
    const { backend, user, sent } = await opened('checkout.submit');
    const manifest = backend.manifest.bind(backend);
    let late = true;
    backend.manifest = async (json) => {
      const said = JSON.parse(await manifest(json));
      const refused = { available: false, unavailable_reason: 'The cart is empty.' };
      for (const one of said.capabilities) if (late && one.name === 'checkout.submit') Object.assign(one, refused);
      return JSON.stringify(said);
    };
    act(() => backend.emit('bus', { type: 'stateChange', domain: 'cart', ids: [] }));
    await waitFor(() => expect(total().getAttribute('aria-disabled')).toBe('true'));
    await user.keyboard(keys);
    await wait(60);
    expect(sent('checkout.submit'), 'the application refuses it too').toHaveLength(0);
    late = false;
    await user.keyboard(keys === '{F9}' ? keys : '{Enter}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
  });

  it('sells the quantity that was typed a moment ago', async () => {
    const { backend, user, quantity, sent } = await opened('checkout.submit');
    await waitFor(() => expect(total().getAttribute('aria-disabled')).toBeNull());
    await user.click(quantity);
    await user.keyboard('5{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(backend.shop.lines[0]?.quantity).toBe(5);
    const { amount } = backend.shop.summary().total;
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({ expectedTotal: { amount } });
  });

  it('sells nothing when the cart changed elsewhere: the answer is shown, and the new total', async () => {
    const { backend, user, elsewhere, sent } = await opened('checkout.submit');
    await waitFor(() => expect(total().getAttribute('aria-disabled')).toBeNull());
    const { amount } = backend.shop.summary().total;
    await user.keyboard('{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    await elsewhere(4);
    sent('checkout.submit')[0]?.refuse('CONFLICT', 'The cart comes to something else by now.');
    await screen.findByText('The cart comes to something else by now.');
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({ expectedTotal: { amount } });
    expect(inCart()).toHaveLength(1);
    expect(total().textContent).not.toContain(`${amount / 100}`);
  });

  it('says why nothing was sold or changed while that cart is there, and not over the next', async () => {
    const { backend, user, sent } = await opened('checkout.submit', 'cart.setShipping');
    await waitFor(() => expect(total().getAttribute('aria-disabled')).toBeNull());
    await user.keyboard('{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    sent('checkout.submit')[0]?.refuse('PRECONDITION_FAILED', 'The drawer is open.');
    await user.keyboard('{Shift>}{F4}{/Shift}');
    await waitFor(() => expect(sent('cart.setShipping')).toHaveLength(1));
    sent('cart.setShipping')[0]?.refuse('PRECONDITION_FAILED', 'It cannot be picked up.');
    await screen.findByText('It cannot be picked up.');
    await screen.findByText('The drawer is open.');
    backend.shop.customer = customers[1]; // another cart
    act(() => backend.emit('bus', { type: 'stateChange', domain: 'cart', ids: [] }));
    await waitFor(() => expect(screen.queryByText('The drawer is open.')).toBeNull());
    expect(screen.queryByText('It cannot be picked up.')).toBeNull();
  });
});

describe('what waits for the link', () => {
  const list = () => within(screen.getByRole('region', { name: 'Waits for the link' })).getAllByRole('listitem');

  it('is put into the cart in its order under its keys, once, and before the order that F9 submits', async () => {
    const { backend, user, sent } = await opened('cart.addItem', 'checkout.submit');
    const link = (...ids: string[]) =>
      act(async () => backend.emit('bus', { type: 'stateChange', domain: 'link', ids }));
    const field = screen.getByRole('combobox', { name: 'Search products' });
    await user.type(field, `${sku}{Enter}`);
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(1));
    await link('down');
    await user.type(field, `{Enter}`);
    await waitFor(() => expect(list()).toHaveLength(1));
    sent('cart.addItem')[0]?.cut(); // it was on its way
    await waitFor(() => expect(list()).toHaveLength(2));
    await link('up');
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(2));
    sent('cart.addItem')[1]?.cut(); // again
    await link('down');
    await link('up');
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(3));
    await user.keyboard('{F9}');
    await wait(60);
    expect(sent('checkout.submit')).toHaveLength(0);
    sent('cart.addItem')[2]?.answer({ itemCount: 2, cartTotal: backend.shop.summary().total });
    await waitFor(() => expect(sent('cart.addItem')).toHaveLength(4));
    sent('cart.addItem')[3]?.refuse('PRECONDITION_FAILED', 'There are none of it.');
    await waitFor(() => expect(refused).toEqual([expect.stringContaining('There are none of it.')]));
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(screen.queryByRole('region', { name: 'Waits for the link' })).toBeNull();
    const [first, second, third, last] = sent('cart.addItem').map(({ key }) => key);
    expect(second).toBe(third);
    expect(last).toBe(first);
    expect(first).not.toBe(second);
  });
});

describe('the customer picker', () => {
  it('leaves to the search what is typed while a customer is being chosen, and takes Enter once', async () => {
    const backend = new WaitingBackend();
    backend.wait('cart.setCustomer');
    const { user } = counter(backend, true);
    await user.type(await screen.findByRole('combobox', { name: 'Search customers' }), 'Noah{Enter}gu{Enter}j');
    await waitFor(() => expect(backend.asks).toHaveLength(1));
    await act(async () => backend.asks[0]?.answer({}));
    const search = screen.getByRole('combobox', { name: 'Search products' }) as HTMLInputElement;
    await waitFor(() => expect(search.value).toBe('guj'));
    expect(backend.asks).toHaveLength(1);
  });

  it('looks for all that stands there when nobody is found', async () => {
    const { user } = counter(new WaitingBackend(), true);
    const field = (await screen.findByRole('combobox', { name: 'Search customers' })) as HTMLInputElement;
    await user.type(field, 'Xy{Enter}zz');
    await screen.findByText('No customer found');
    expect(field.value).toBe('Xyzz');
  });
});
