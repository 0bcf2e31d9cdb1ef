// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Response } from '../../../bridge/capabilities';
import { FakeBackend } from '../../../shop/fake/backend';
import { object } from '../../../shop/fake/bus';
import { usd } from '../../../shop/fake/data';
import { choose, type DialogCase, find, testDialogs, type } from '../../../shop/fake/dialogs';
import { show } from '../../../shop/fake/show';
import { WaitingBackend } from '../../../shop/fake/waiting';
import type { ActionName } from '../page/actions';
import { OrderDialog } from './OrderDialog';
import { SendReceipt } from './SendReceipt';

type Order = Response<'order.get'>;

const [head] = new FakeBackend().shop.orders;
if (!head) throw new Error('the fake shop has orders');
const line = (variantId: string, name: string, quantity: number): Order['lines'][number] =>
  ({
    ...{
      id: variantId,
      lineId: variantId,
      variantId,
      productId: `product of ${name}`,
      name,
      label: '',
      quantity,
      price: usd(1000),
    },
    ...{ sku: variantId, options: {}, discount: usd(0), tax: usd(0), total: usd(1000 * quantity) },
  }) as Order['lines'][number];
const order: Order = {
  ...head,
  id: '#W1',
  customer: { id: 'cus_ana', name: 'Ana Ruiz', email: 'ana@example.com' } as Order['customer'],
  lines: [line('v1', 'Guji', 2), line('v2', 'Mug', 1)],
  savedAddresses: [{ id: 'adr_1', label: 'Home', text: '1 First St' }] as Order['savedAddresses'],
  savedPaymentMethods: [
    { id: 'cash', kind: 'cash', label: 'Cash' },
    { id: 'visa', kind: 'card', label: 'Visa 4242' },
  ] as Order['savedPaymentMethods'],
  payments: [{ id: 'p1', kind: 'payment', paymentMethodId: 'cash', label: 'Cash', amount: usd(3000), at: 1 }],
  alternatives: [
    { id: 'v1', productId: 'product of Guji', name: 'Guji', price: usd(1000) },
    { id: 'v1b', productId: 'product of Guji', name: 'Guji, 1 kg', price: usd(2000) },
  ] as Order['alternatives'],
  requests: [
    { id: 'q1', kind: 'return', status: 'requested', label: 'Cash', lines: [{ variantId: 'v1', quantity: 2 }] },
  ] as unknown as Order['requests'],
};

const reasons = (...all: string[]) => object({ reason: { type: 'string', enum: all } });
const refund = { refund: { amount: usd(1000), label: 'Cash' }, refundDue: usd(1000) };
const difference = { difference: usd(500) };

const cases: Record<string, DialogCase> = {
  'order.cancel': {
    schema: reasons('no longer needed', 'other'),
    fill: async (user) => {
      await choose(user, 'Reason', 'No longer needed');
      await type(user, 'Note', 'rang us');
    },
    submit: 'Cancel order and record the refund',
    args: { orderId: '#W1', reason: 'no longer needed', note: 'rang us' },
  },
  'order.process': { submit: 'Mark as packed', args: { orderId: '#W1' } },
  'order.deliver': { submit: 'Mark as delivered', args: { orderId: '#W1' } },
  'order.fulfil': {
    fill: (user) => type(user, 'Tracking number', '1Z999'),
    submit: 'Record the parcel',
    args: { orderId: '#W1', trackingId: '1Z999', variantIds: ['v1', 'v2'] },
    enter: true,
  },
  'order.changeAddress': {
    fill: async (user) => {
      await user.click(await screen.findByRole('radio', { name: /Another address/ }));
      await find(user, 'Country', 'United States');
      for (const [name, text] of [
        ['Street', '5 Elm St'],
        ['City', 'Salem'],
        ['Postal code', '97301'],
      ] as const) {
        await type(user, name, text);
      }
    },
    submit: 'Change the address',
    args: { orderId: '#W1', address: { line1: '5 Elm St', city: 'Salem', postalCode: '97301', country: 'US' } },
    enter: true,
  },
  'order.changePayment': {
    preview: { paid: { amount: usd(3000), label: 'Visa 4242' }, refunds: [] },
    fill: async (user) => {
      await user.click(await screen.findByRole('radio', { name: 'Visa 4242' }));
      await screen.findByText('$30.00 charged to Visa 4242.');
    },
    submit: 'Change the payment',
    args: { orderId: '#W1', paymentMethodId: 'visa' },
  },
  'order.changeItems': {
    preview: difference,
    fill: (user) => choose(user, /Instead of Guji/, /1 kg/),
    submit: 'Change the items',
    args: {
      orderId: '#W1',
      changes: [{ variantId: 'v1', newVariantId: 'v1b', quantity: 2 }],
      paymentMethodId: 'cash',
    },
  },
  'order.exchange': {
    schema: reasons('faulty', 'other'),
    preview: difference,
    fill: async (user) => {
      await type(user, 'Pieces of Guji', '1');
      await choose(user, /Instead of Guji/, 'The same again');
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Reason' }), 'Faulty');
    },
    submit: 'Note the exchange',
    args: {
      orderId: '#W1',
      changes: [{ variantId: 'v1', newVariantId: 'v1', quantity: 1 }],
      paymentMethodId: 'cash',
      reason: 'faulty',
    },
  },
  'order.return': {
    calls: 'order.returnNow',
    schema: reasons('faulty', 'changed mind'),
    preview: refund,
    fill: async (user) => {
      await type(user, 'Pieces of Guji', '1');
      await user.selectOptions(await screen.findByRole('combobox', { name: 'Reason' }), 'Changed their mind');
      await screen.findByText('$10.00 refunded to Cash.');
    },
    submit: 'Take back and record the refund',
    args: {
      orderId: '#W1',
      lines: [{ variantId: 'v1', quantity: 1 }],
      paymentMethodId: 'cash',
      reason: 'changed mind',
      restock: true,
    },
    enter: true,
  },
  'order.receiveReturn': {
    preview: refund,
    fill: (user) => type(user, 'Pieces of Guji', '1'),
    submit: 'Record the refund',
    args: { orderId: '#W1', lines: [{ variantId: 'v1', quantity: 1 }], restock: false },
    enter: true,
  },
  'order.receiveExchange': {
    preview: difference,
    fill: async (user) => user.click(await screen.findByRole('checkbox', { name: /back into stock/ })),
    submit: 'Record the exchange',
    args: { orderId: '#W1', restock: true },
  },
  'order.addNote': {
    schema: object({ orderId: { type: 'string' }, text: { type: 'string', title: 'Note' } }, 'orderId', 'text'),
    fill: (user) => type(user, 'Note', ' Ring twice '),
    submit: 'Add the note',
    args: { orderId: '#W1', text: 'Ring twice' },
  },
  'cart.fromOrder': { submit: 'Put into the cart', args: { orderId: '#W1' }, answer: { unavailable: [] } },
  'email.sendReceipt': {
    fill: (user) => type(user, 'To', 'ana@example.org'),
    submit: 'Send the receipt',
    args: { orderId: '#W1', to: 'ana@example.org' },
    answer: { to: 'ana@example.org' },
    enter: true,
  },
};

describe('dialogs of an order', () =>
  testDialogs(cases, ['order.cancel', 'Note'], ['order.fulfil', 'Tracking number'], (name, onClose) =>
    name === 'email.sendReceipt' ? (
      <SendReceipt order={order} onClose={onClose} />
    ) : (
      <OrderDialog action={name as ActionName} order={order} onClose={onClose} />
    ),
  ));

it('tells nothing of what an earlier choice came to', async () => {
  const backend = new WaitingBackend();
  backend.wait('order.changePayment', {}, cases['order.changePayment']?.preview);
  const { user } = show(backend, <OrderDialog action="order.changePayment" order={order} onClose={() => {}} />);
  await user.click(await screen.findByRole('radio', { name: 'Visa 4242' }));
  await screen.findByText('$30.00 charged to Visa 4242.');
  await user.click(screen.getByRole('radio', { name: 'Cash' }));
  expect(screen.queryByText(/charged to/)).toBeNull();
});

it('asks which of several payments is changed', async () => {
  const backend = new WaitingBackend();
  backend.wait('order.changePayment', {}, cases['order.changePayment']?.preview);
  const paid = { ...order.payments[0], left: usd(1000) } as Order['payments'][number];
  const payments = [paid, { ...paid, id: 'p2', label: 'Bank transfer', left: usd(2000) }];
  const { user } = show(
    backend,
    <OrderDialog action="order.changePayment" order={{ ...order, payments }} onClose={() => {}} />,
  );
  await user.click(await screen.findByRole('radio', { name: 'Visa 4242' }));
  expect(screen.queryByText(/charged to/)).toBeNull();
  await user.click(screen.getByRole('radio', { name: '$20.00, Bank transfer' }));
  await screen.findByText('$30.00 charged to Visa 4242.');
});

it('an order’s address is chosen already, and changes only to another one', async () => {
  const savedAddresses = [
    { id: 'adr_1', label: 'Home', text: '1 First St' },
    { id: 'adr_2', label: 'Work', text: '2 Second St' },
  ] as Order['savedAddresses'];
  const to = { ...order, savedAddresses, shippingAddress: savedAddresses[1] };
  const { user } = show(
    new WaitingBackend(),
    <OrderDialog action="order.changeAddress" order={to} onClose={() => {}} />,
  );
  expect(await screen.findByRole('radio', { name: 'Work: 2 Second St' })).toHaveProperty('checked', true);
  const change = screen.getByRole('button', { name: /^Change the address/ });
  expect(change.getAttribute('aria-disabled')).toBe('true');
  await user.click(screen.getByRole('radio', { name: 'Home: 1 First St' }));
  expect(change.getAttribute('aria-disabled')).toBeNull();
});

it.each([
  ['5', 5],
  ['0', 0],
])('sets the pieces of a line that stays what it is: %s', async (typed, quantity) => {
  const backend = new WaitingBackend();
  backend.wait('order.changeItems', {}, difference);
  const { user } = show(backend, <OrderDialog action="order.changeItems" order={order} onClose={() => {}} />);
  await type(user, 'Pieces of Guji', typed);
  const change = screen.getByRole('button', { name: /^Change the items/ });
  await waitFor(() => expect(change.getAttribute('aria-disabled')).toBeNull());
  await user.click(change);
  const sent = backend.asks.filter(({ capability }) => capability === 'order.changeItems').at(-1);
  expect(sent?.arguments).toEqual({ orderId: '#W1', set: [{ lineId: 'v1', quantity }], paymentMethodId: 'cash' });
});

it('adds a product by keyboard: words, Enter, the pieces, Enter', async () => {
  const backend = new WaitingBackend();
  backend.wait('order.changeItems', {}, { difference: usd(4500), total: usd(7500) });
  const { user } = show(backend, <OrderDialog action="order.changeItems" order={order} onClose={() => {}} />);
  const field = await screen.findByRole('combobox', { name: 'Another product' });
  await user.type(field, 'mug');
  await screen.findAllByRole('option');
  await user.keyboard('{ArrowDown}{Enter}');
  await waitFor(() => expect(document.activeElement).toHaveProperty('value', '1'));
  await user.keyboard('3');
  await screen.findByText('New total $75.00. $45.00 more, charged to Cash.');
  await user.keyboard('{Enter}');
  const sent = backend.asks.filter(({ capability }) => capability === 'order.changeItems').at(-1);
  expect(sent?.arguments).toEqual({
    ...{ orderId: '#W1', paymentMethodId: 'cash', add: [{ variantId: 'var_mug', quantity: 3 }] },
  });
});
