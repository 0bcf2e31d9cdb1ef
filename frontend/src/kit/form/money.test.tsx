// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { Client } from '../../bridge/client';
import { BusError } from '../../bridge/error';
import type { JsonObject, Violation } from '../../bridge/wire';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { FieldErrors } from '../../ui/form/FieldErrors';
import { DomainProvider, noDomain } from '../domain';
import SchemaFields from './SchemaFields';

const money = {
  type: 'object',
  properties: {
    amount: { type: 'integer', description: 'In minor units: 500 is $5.00.' },
    currency: { type: 'string', description: 'ISO 4217, for example USD.' },
  },
  required: ['amount', 'currency'],
};
const line = { type: 'object', properties: { price: money }, required: ['price'] };
const schema: JsonObject = {
  type: 'object',
  properties: {
    amount: { ...money, description: 'Off the subtotal.' },
    lines: { type: 'array', items: line },
  },
  required: ['lines'],
};

interface FormProps {
  first: JsonObject;
  violations?: Violation[];
  useCurrency?: () => string | undefined;
}

function Form({ first, violations = [], useCurrency = () => 'USD' }: FormProps) {
  const [values, setValues] = useState(first);
  const error = new BusError({ code: 'VALIDATION', message: 'Wrong.', retryable: false, violations });
  return (
    <MantineProvider env="test">
      <BusProvider client={new Client(new FakeBackend())}>
        <DomainProvider value={{ ...noDomain, useCurrency }}>
          <FieldErrors call={{ capability: 'test', error }}>
            <SchemaFields {...{ schema, values }} onChange={setValues} />
          </FieldErrors>
          <output>{JSON.stringify(values)}</output>
        </DomainProvider>
      </BusProvider>
    </MantineProvider>
  );
}

const values = () => JSON.parse(screen.getByRole('status').textContent ?? '');
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${name}`) });

afterEach(cleanup);

it('asks for money as people write it, in the currency of the shop', async () => {
  const user = userEvent.setup();
  const { container } = render(<Form first={{ lines: [{ price: { amount: 250, currency: 'EUR' } }] }} />);
  expect(container.textContent).not.toMatch(/minor units|ISO 4217/);
  expect(container.textContent).toContain('Off the subtotal.');
  await user.type(field('Amount'), '10,5');
  expect(values().amount).toEqual({ amount: 1050, currency: 'USD' });
  expect(field('Price').value).toBe('2.50');
  await user.clear(field('Price'));
  await user.type(field('Price'), '3');
  expect(values().lines).toEqual([{ price: { amount: 300, currency: 'EUR' } }]);
});

it('is one field once the currency is known', async () => {
  let tell = (_: string) => {};
  const useCurrency = () => {
    const [currency, setCurrency] = useState<string>();
    tell = setCurrency;
    return currency;
  };
  render(<Form first={{ lines: [] }} {...{ useCurrency }} />);
  act(() => tell('USD'));
  expect(field('Amount')).toBeTruthy();
});

it('leaves out what is empty, and does not lose what is no amount', async () => {
  const user = userEvent.setup();
  render(<Form first={{ lines: [] }} />);
  await user.type(field('Amount'), 'ten');
  expect(values().amount, 'the application refuses it').toEqual({ amount: null, currency: 'USD' });
  await user.clear(field('Amount'));
  expect(values().amount).toBeUndefined();
});

it('says at the field what is wrong with it', () => {
  const message = 'maximum: got 1, want 0';
  render(
    <Form
      first={{ lines: [], amount: { amount: 1, currency: 'USD' } }}
      violations={[{ path: '/amount/amount', message }]}
    />,
  );
  expect(field('Amount').getAttribute('aria-invalid')).toBe('true');
});
