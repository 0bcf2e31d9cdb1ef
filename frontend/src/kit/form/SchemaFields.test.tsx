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

function Form({ first = {}, of = schema }: { first?: JsonObject; of?: JsonObject }) {
  const [values, setValues] = useState(first);
  return (
    <>
      <SchemaFields {...{ values }} schema={of} onChange={setValues} />
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

const text = { type: 'string' };
const line = { type: 'object', properties: { sku: text, pieces: { type: 'integer' } }, required: ['sku'] };
const parts: JsonObject = {
  type: 'object',
  properties: {
    address: { type: 'object', properties: { city: text } },
    lines: { type: 'array', items: line },
    reason: { type: 'string', enum: ['damaged', 'changed mind'] },
    tags: { type: 'array', items: text },
    options: { type: 'object', additionalProperties: text },
    here: { type: 'boolean' },
  },
  required: ['lines'],
};

it('unfolds an optional part, and leaves it out again', async () => {
  const { user } = show(new WaitingBackend(), <Form of={parts} />);
  await user.click(screen.getByRole('button', { name: 'Add an address' }));
  await user.type(field('City'), 'Salem');
  expect(values()).toEqual({ address: { city: 'Salem' } });
  await user.click(screen.getByRole('button', { name: 'Leave it out' }));
  expect(values()).toEqual({});
});

it('begins a list that is needed with one entry, and each keeps what was typed when another is left out', async () => {
  const { user } = show(new WaitingBackend(), <Form of={parts} />);
  const skus = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Sku' });
  expect(skus()).toHaveLength(1);
  await user.type(skus()[0] as HTMLElement, 'a');
  await user.click(screen.getAllByRole('button', { name: 'One more' })[0] as HTMLElement);
  await user.type(skus()[1] as HTMLElement, 'b');
  await user.type(screen.getAllByRole('textbox', { name: 'Pieces' })[1] as HTMLElement, '1,5');
  await user.click(screen.getAllByRole('button', { name: 'Leave this out' })[0] as HTMLElement);
  expect(values()).toEqual({ lines: [{ sku: 'b', pieces: null }] });
  expect(field('Pieces').value, 'what cannot be read stays with its entry').toBe('1,5');
});

it('takes one of some, several words, texts by name, and yes or no', async () => {
  const { user } = show(new WaitingBackend(), <Form of={parts} />);
  await user.type(screen.getByRole('combobox', { name: 'Reason' }), 'chan{Enter}');
  await user.type(screen.getByRole('combobox', { name: 'Tags' }), 'new{Enter}');
  await user.click(screen.getByRole('checkbox', { name: 'Here' }));
  await user.click(screen.getAllByRole('button', { name: 'One more' })[1] as HTMLElement);
  await user.type(field('Name'), 'Size');
  await user.type(field('Value'), 'L');
  expect(values()).toEqual({ reason: 'changed mind', tags: ['new'], here: true, options: { Size: 'L' } });
});
