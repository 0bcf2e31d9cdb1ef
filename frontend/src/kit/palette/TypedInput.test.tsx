// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import type { JsonObject } from '../../bridge/wire';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import SchemaFields from './SchemaFields';

const schema: JsonObject = {
  type: 'object',
  properties: {
    quantity: { type: 'integer', minimum: 1, maximum: 9999 },
    weight: { type: 'number' },
    name: { type: 'string' },
  },
};

function Form({ first = {} }: { first?: JsonObject }) {
  const [values, setValues] = useState(first);
  return (
    <>
      <SchemaFields {...{ schema, values }} violations={[]} onChange={setValues} />
      <output>{JSON.stringify(values)}</output>
    </>
  );
}

const values = () => JSON.parse(screen.getByRole('status').textContent ?? '');
const field = (name: string) => screen.getByRole<HTMLInputElement>('textbox', { name });

it.each([
  ['Quantity', '05', { quantity: 5 }],
  ['Quantity', '1,234', { quantity: 1234 }],
  ['Weight', '12,5', { weight: 12.5 }],
  ['Weight', '0.5', { weight: 0.5 }],
  ['Name', '1,5', { name: '1,5' }],
])('%s takes %s', async (name, typed, sent) => {
  const { user } = show(new WaitingBackend(), <Form />);
  await user.type(field(name), typed);
  expect(values()).toEqual(sent);
  expect(field(name).value).toBe(typed);
});

it.each([
  ['Quantity', '1,5'],
  ['Quantity', '0x10'],
  ['Quantity', '0'],
  ['Weight', '1e3'],
])('%s refuses %s at the field, and the application would too', async (name, typed) => {
  const { user } = show(new WaitingBackend(), <Form first={{ quantity: 2, weight: 2 }} />);
  await user.clear(field(name));
  await user.type(field(name), typed);
  expect(field(name).value).toBe(typed);
  await waitFor(() => expect(field(name).getAttribute('aria-invalid')).toBe('true'));
  expect(values()[name.toLowerCase()]).toBeNull();
});

it('shows a value that is there, and leaves it out when it is emptied', async () => {
  const { user } = show(new WaitingBackend(), <Form first={{ quantity: 12, weight: 1.5 }} />);
  expect([field('Quantity').value, field('Weight').value]).toEqual(['12', '1.5']);
  await user.clear(field('Quantity'));
  expect(values()).toEqual({ weight: 1.5 });
});
