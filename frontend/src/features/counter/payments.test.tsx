// @vitest-environment jsdom
import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Response } from '../../bridge/capabilities';
import { counterShop } from '../../shop/fake/counter';
import { usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { CounterPage } from './CounterPage';

type Cart = Response<'cart.getSummary'>;

const nothing = () => undefined;
const wait = (ms: number) => act(() => new Promise((later) => setTimeout(later, ms)));

/** The counter with one piece in Ana's cart. */
async function opened(...waiting: string[]) {
  const shop = counterShop(...waiting);
  const { user } = show(
    shop.backend,
    <CounterPage
      picking={false}
      {...{ onPick: nothing, onOpenOrder: nothing, newProduct: () => null, newCustomer: () => null }}
    />,
  );
  const sell = await screen.findByRole('button', { name: /^Submit order/ });
  await screen.findByRole('textbox', { name: /^Quantity of/ });
  await waitFor(() => expect(sell.getAttribute('aria-disabled')).toBeNull());
  return { user, ...shop };
}

const receipt = { orderId: '#W9', fulfilment: 'deliver', estimatedDelivery: '2026-12-01', total: usd(100) };

describe('F11', () => {
  const walkIn: Partial<Cart> = {
    ...{ fulfilment: 'takeAway', total: usd(1900), customer: undefined },
    savedPaymentMethods: ['Cash', 'Card', 'Other'].map((label, i) => ({
      ...{ id: label.toLowerCase(), kind: label.toLowerCase(), label, default: i === 0 },
    })) as Cart['savedPaymentMethods'],
  };
  it('lets what pays pay a part, and another method the rest', async () => {
    const { user, sent, become } = await opened('checkout.submit');
    await become(walkIn);
    await user.keyboard('{F11}');
    const part = screen.getByRole('textbox', { name: 'Cash pays' });
    expect(document.activeElement).toBe(part);
    await user.keyboard('{F9}');
    await wait(60);
    expect(sent('checkout.submit'), 'the part has no amount yet').toEqual([]);
    await user.keyboard('12{F9}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(sent('checkout.submit')[0]?.arguments).toMatchObject({
      payments: [{ paymentMethodId: 'cash', amount: { amount: 1200, currency: 'USD' } }, { paymentMethodId: 'card' }],
      expectedTotal: { amount: 1900, currency: 'USD' },
    });
    await act(async () => sent('checkout.submit')[0]?.answer({ ...receipt, receiptNumber: '2026-000007' }));
    await screen.findByText(/Receipt 2026-000007/);
  });

  it('takes the part back, and sells from the field by Enter', async () => {
    const { user, sent, become } = await opened('checkout.submit');
    await become(walkIn);
    await user.keyboard('{F11}5{F11}');
    expect(screen.queryByRole('textbox', { name: 'Cash pays' })).toBeNull();
    await user.keyboard('{F11}6');
    await user.click(within(screen.getByRole('group', { name: 'The rest by' })).getByRole('button', { name: 'Other' }));
    await user.type(screen.getByRole('textbox', { name: 'Cash pays' }), '.50{Enter}');
    await waitFor(() => expect(sent('checkout.submit')).toHaveLength(1));
    expect(sent('checkout.submit')[0]?.arguments.payments).toMatchObject([
      { paymentMethodId: 'cash', amount: { amount: 650 } },
      { paymentMethodId: 'other' },
    ]);
  });
});

describe('the part that cash pays', () => {
  it('is rounded by the application: the page asks for it, and counts from its answer', async () => {
    const { user, become, backend } = await opened('checkout.submit');
    await become({
      ...{ fulfilment: 'takeAway', total: usd(1903), customer: undefined },
      savedPaymentMethods: ['Card', 'Cash'].map((label, i) => ({
        ...{ id: label.toLowerCase(), kind: label.toLowerCase(), label, default: i === 0 },
      })) as Cart['savedPaymentMethods'],
    });
    await user.keyboard('{F11}12');
    await user.type(screen.getByRole('textbox', { name: 'Handed over' }), '10');
    await waitFor(() => expect(backend.previews).toHaveLength(1));
    expect(screen.getByRole('status', { name: 'Change due' }).textContent).toBe('–');
    expect(backend.previews[0]?.arguments).toMatchObject({ payments: [{ amount: { amount: 1200 } }, {}] });
    expect(backend.previews[0]?.arguments.tendered, 'too little is not refused while it is typed').toBeUndefined();
    const payments = [{ amount: usd(1200) }, { amount: usd(705) }];
    await act(async () => backend.previews[0]?.answer({ payments, rounding: usd(2), total: usd(1903) }));
    await waitFor(() => expect(screen.getByRole('status', { name: 'Change due' }).textContent).toBe('$2.95'));
    screen.getByRole('button', { name: /Sell · \$19\.05/ });
    await user.keyboard('{F9}');
    await waitFor(() => expect(backend.asks).toHaveLength(1));
    const sold = { ...receipt, fulfilment: 'takeAway', payments, rounding: usd(2), total: usd(1903) };
    await act(async () => backend.asks[0]?.answer(sold));
    await screen.findByText(/^\$19\.05 recorded, taken along/);
  });
});

describe('what is not in the catalog', () => {
  it('is Shift F2, a title, a price and Enter', async () => {
    const { user, sent } = await opened('cart.addOpenItem');
    await user.keyboard('{Shift>}{F2}{/Shift}');
    const dialog = await screen.findByRole('dialog', { name: 'Add an open item' });
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('textbox', { name: /^Title/ })));
    await user.keyboard('Gift wrap{Tab}3.50{Enter}');
    await waitFor(() => expect(sent('cart.addOpenItem')).toHaveLength(1));
    expect(sent('cart.addOpenItem')[0]?.arguments).toEqual({
      title: 'Gift wrap',
      unitPrice: { amount: 350, currency: 'USD' },
    });
  });

  it('is changed and taken out by the id of its line', async () => {
    const { user, sent, become, backend } = await opened('cart.setQuantity', 'cart.removeItem');
    const [line] = backend.shop.summary().items;
    if (!line) throw new Error('the cart has a line');
    await become({ items: [{ ...line, lineId: 'lin_7', variantId: '', productId: '', name: 'Gift wrap', label: '' }] });
    const quantity = await screen.findByRole('textbox', { name: 'Quantity of Gift wrap' });
    await user.click(quantity);
    await user.keyboard('3');
    await waitFor(() => expect(sent('cart.setQuantity')).toHaveLength(1));
    expect(sent('cart.setQuantity')[0]?.arguments).toEqual({ lineId: 'lin_7', quantity: 3 });
    await user.click(screen.getByRole('button', { name: 'Remove Gift wrap' }));
    expect(sent('cart.removeItem')[0]?.arguments).toEqual({ lineId: 'lin_7' });
  });
});

describe('the price of a line', () => {
  it('is Shift F5, the price and Enter, and stands at the line with that of the catalog', async () => {
    const { user, sent, become, backend } = await opened('cart.setLinePrice');
    const [line] = backend.shop.summary().items;
    if (!line) throw new Error('the cart has a line');
    await user.keyboard('{Shift>}{F5}{/Shift}');
    const dialog = await screen.findByRole('dialog', { name: `Price of ${line.name}` });
    await waitFor(() => expect(document.activeElement).toBe(within(dialog).getByRole('textbox', { name: /^Price/ })));
    expect(within(dialog).getAllByRole('textbox'), 'the dialog does not ask for the line').toHaveLength(2);
    await user.keyboard('9{Tab}Dented{Enter}');
    await waitFor(() => expect(sent('cart.setLinePrice')).toHaveLength(1));
    expect(sent('cart.setLinePrice')[0]?.arguments).toEqual({
      lineId: line.lineId,
      price: { amount: 900, currency: 'USD' },
      reason: 'Dented',
    });
    await become({ items: [{ ...line, price: usd(900), listPrice: line.price, priceReason: 'Dented' }] });
    await screen.findByText(/^instead of .* · Dented$/);
  });

  it('is asked for though the page has not yet read that it can be set', async () => {
    const { user, backend } = await opened('cart.setLinePrice');
    const manifest = backend.manifest.bind(backend);
    let possible = false;
    backend.manifest = async (json) => {
      const answer = JSON.parse(await manifest(json));
      for (const state of answer.capabilities)
        if (state.name === 'cart.setLinePrice')
          Object.assign(state, { available: possible, unavailable_reason: 'The cart is empty.' });
      return JSON.stringify(answer);
    };
    await act(async () => backend.emit('bus', { type: 'stateChange', domain: 'cart' }));
    await user.keyboard('{Shift>}{F5}{/Shift}');
    await screen.findByText(/^[^:]+: The cart is empty\.$/);
    possible = true;
    await user.keyboard('{Shift>}{F5}{/Shift}');
    await screen.findByRole('dialog', { name: /^Price of / });
  });
});

it('pressed twice, the key for how the buyer gets it sends the second choice after the answer to the first', async () => {
  const { user, sent, become } = await opened('cart.setShipping');
  await become({ fulfilment: 'takeAway' });
  await user.keyboard('{Shift>}{F4}{F4}{/Shift}');
  await wait(60);
  const asked = () => sent('cart.setShipping').map(({ arguments: args }) => args.fulfilment);
  expect(asked()).toEqual(['pickUp']);
  await act(async () => sent('cart.setShipping')[0]?.answer({}));
  await waitFor(() => expect(asked()).toEqual(['pickUp', 'deliver']));
});
