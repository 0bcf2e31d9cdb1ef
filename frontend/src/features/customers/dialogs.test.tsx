// @vitest-environment jsdom
import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { Response } from '../../bridge/capabilities';
import { object } from '../../shop/fake/bus';
import { choose, type DialogCase, find, testDialogs, type } from '../../shop/fake/dialogs';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import { AddMethod } from './AddMethod';
import { Addresses } from './Addresses';
import { EditAddress } from './EditAddress';
import { EditContact } from './EditContact';
import { EraseCustomer } from './EraseCustomer';
import { MergeCustomer } from './MergeCustomer';
import { Methods } from './Methods';
import { NewCustomer } from './NewCustomer';

const ana = {
  ...{ id: 'cus_ana', name: 'Ana Ruiz', email: 'ana@example.com', phone: '1' },
  addresses: [
    {
      id: 'adr_1',
      label: 'Home',
      text: '1 First St',
      line1: '1 First St',
      city: 'Salem',
      postalCode: '9',
      country: 'US',
    },
    {
      id: 'adr_2',
      label: 'Work',
      text: '2 Second St',
      line1: '2 Second St',
      city: 'Salem',
      postalCode: '9',
      country: 'US',
    },
  ],
  paymentMethods: [
    { id: 'pay_1', kind: 'card', label: 'Visa 4242' },
    { id: 'pay_2', kind: 'card', label: 'Visa 1111' },
  ],
} as unknown as Response<'customer.get'>;

const address = { line1: '5 Elm St', city: 'Salem', postalCode: '97301', country: 'US' };
const typeAddress = async (user: Parameters<typeof type>[0]) => {
  await find(user, 'Country', 'United States');
  await type(user, 'Street', address.line1);
  await type(user, 'City', address.city);
  await type(user, 'Postal code', address.postalCode);
};

const cases: Record<string, DialogCase> = {
  'customer.create': {
    fill: async (user) => {
      await type(user, 'Name', 'Ben Ode');
      await type(user, 'Phone', '555');
      await user.click(await screen.findByRole('checkbox', { name: 'With an address' }));
      await typeAddress(user);
    },
    submit: 'Add the customer',
    args: { name: 'Ben Ode', phone: '555', address },
    answer: { customerId: 'cus_ben' },
    enter: true,
  },
  'customer.update': {
    fill: (user) => type(user, 'Phone', '555'),
    submit: 'Save',
    args: { customerId: 'cus_ana', phone: '555' },
    enter: true,
  },
  'customer.addAddress': {
    fill: typeAddress,
    submit: 'Add the address',
    args: { customerId: 'cus_ana', address, default: false },
    enter: true,
  },
  'customer.addPaymentMethod': {
    schema: object({ kind: { type: 'string', enum: ['card', 'paypal', 'giftCard'] } }),
    fill: async (user) => {
      await choose(user, 'Kind', 'Card');
      await type(user, 'Brand', 'Visa');
      await type(user, 'Last four digits', '4242');
    },
    submit: 'Add the payment method',
    args: { customerId: 'cus_ana', kind: 'card', brand: 'Visa', lastFour: '4242', default: false },
    enter: true,
  },
  'customer.merge': {
    preview: { customerId: 'cus_ana', orders: 2, addresses: 1, paymentMethods: 0, notes: 0, carts: 1 },
    fill: async (user) => {
      await choose(user, 'Record that goes away', /^Anders/);
    },
    submit: 'Merge the records',
    args: { keep: 'cus_ana', remove: 'cus_0' },
  },
  'customer.erase': { submit: 'Erase for good', args: { customerId: 'cus_ana' } },
};

describe('dialogs of a customer', () =>
  testDialogs(cases, ['customer.update', 'Phone'], ['customer.create', 'Name'], (name, onClose) => {
    switch (name) {
      case 'customer.create':
        return <NewCustomer name="" onClose={onClose} onCreated={onClose} />;
      case 'customer.update':
        return <EditContact customer={ana} onClose={onClose} />;
      case 'customer.addAddress':
        return <EditAddress customerId={ana.id} onClose={onClose} />;
      case 'customer.addPaymentMethod':
        return <AddMethod customerId={ana.id} onClose={onClose} />;
      case 'customer.merge':
        return <MergeCustomer customer={ana} onClose={onClose} />;
      default:
        return <EraseCustomer customer={ana} onClose={onClose} onErased={onClose} />;
    }
  }));

it('changes only what was typed: what another changed meanwhile stays as they have it', async () => {
  const backend = new WaitingBackend();
  backend.wait('customer.update');
  const { user, put } = show(backend, <EditContact customer={ana} onClose={() => {}} />);
  await type(user, 'Name', 'Ana Maria Ruiz');
  act(() => put(<EditContact customer={{ ...ana, phone: '999' }} onClose={() => {}} />));
  expect(screen.getByRole('textbox', { name: 'Phone' })).toHaveProperty('value', '999');
  expect(screen.getByRole('textbox', { name: 'Name' })).toHaveProperty('value', 'Ana Maria Ruiz');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(backend.asks.map((asked) => asked.arguments)).toEqual([{ customerId: 'cus_ana', name: 'Ana Maria Ruiz' }]);
});

it.each([
  ['customer.removeAddress', <Addresses key="a" customer={ana} />, 'Home', 'Work', 'Remove the address'],
  [
    'customer.removePaymentMethod',
    <Methods key="m" customer={ana} />,
    'Visa 4242',
    'Visa 1111',
    'Remove the payment method',
  ],
])('%s closes no other dialog when its answer comes late', async (capability, part, one, other, submit) => {
  const backend = new WaitingBackend();
  for (const name of [capability, 'customer.addAddress', 'customer.setAddress', 'customer.addPaymentMethod']) {
    backend.wait(name);
  }
  const { user } = show(backend, part);
  await user.click(await screen.findByRole('button', { name: `Remove ${one}` }));
  await user.click(await screen.findByRole('button', { name: submit }));
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: `Remove ${other}` }));
  await screen.findByRole('dialog', { name: `Remove ${other}` });
  await act(async () => backend.asks[0]?.answer({}));
  await new Promise((later) => setTimeout(later, 50));
  expect(screen.getByRole('dialog', { name: `Remove ${other}` })).toBeTruthy();
});
