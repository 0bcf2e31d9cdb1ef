// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { theme } from '../theme/theme';
import { LookupSelect, useLookup } from './LookupSelect';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const addresses = [
  { value: 'a1', label: 'Home: 123 Main St' },
  { value: 'a2', label: 'Work: 48 Commercial St' },
];

function Address({ first, label }: { first?: string; label?: string }) {
  const { words, field, choose } = useLookup(first && label ? { value: first, label } : undefined);
  const [value, setValue] = useState<string | null>(first ?? null);
  const data = addresses.filter(({ label }) => label.includes(words));
  return (
    <LookupSelect
      {...{ label: 'Address', openOnFocus: false, data, value }}
      {...field}
      onChange={(picked, option) => {
        choose(option);
        setValue(picked);
      }}
    />
  );
}

it('takes what is found, however fast the keys come', () => {
  for (const pause of [[], ['letters'], ['letters', 'ArrowDown'], ['ArrowDown']]) {
    const wait = (after: string) => pause.includes(after) && act(() => vi.runAllTimers());
    render(
      <MantineProvider theme={theme} env="test">
        <Address />
      </MantineProvider>,
    );
    const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' });
    act(() => field.focus());
    for (const [at, key] of [...'Home'].entries()) {
      fireEvent.keyDown(field, { key, code: `Key${key}` });
      fireEvent.change(field, { target: { value: 'Home'.slice(0, at + 1) } });
    }
    wait('letters');
    for (const key of ['ArrowDown', 'Enter']) {
      fireEvent.keyDown(field, { key, code: key });
      wait(key);
    }
    act(() => vi.runAllTimers());
    expect(field.value, pause.join(' ')).toBe('Home: 123 Main St');
    cleanup();
  }
});

it('takes the choice that is marked, also when the list has lost count', () => {
  render(
    <MantineProvider theme={theme} env="test">
      <Address />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' });
  act(() => field.focus());
  fireEvent.change(field, { target: { value: 'Ma' } });
  act(() => vi.runAllTimers());
  screen.getByRole('option', { name: 'Home: 123 Main St' }).setAttribute('data-combobox-selected', 'true');
  fireEvent.keyDown(field, { key: 'Enter', code: 'Enter' });
  act(() => vi.runAllTimers());
  expect(field.value).toBe('Home: 123 Main St');
});

it.each([undefined, '123 Main St, Portland'])('offers all choices, not only the present one called %s', (label) => {
  render(
    <MantineProvider theme={theme} env="test">
      <Address first="a1" label={label} />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'Address' });
  const choices = () => screen.getAllByRole('option').map(({ textContent }) => textContent);
  act(() => field.focus());
  fireEvent.click(field);
  act(() => vi.runAllTimers());
  expect(choices()).toEqual(['Home: 123 Main St', 'Work: 48 Commercial St']);
  fireEvent.click(screen.getByRole('option', { name: 'Home: 123 Main St' }));
  act(() => vi.runAllTimers());
  expect(field.value, 'the present one was chosen again').toBe('Home: 123 Main St');

  fireEvent.change(field, { target: { value: 'Work' } });
  act(() => vi.runAllTimers());
  expect(choices()).toEqual(['Work: 48 Commercial St']);
  act(() => field.blur());
  act(() => vi.runAllTimers());
  expect(field.value).toBe('Home: 123 Main St');
  fireEvent.click(field);
  act(() => vi.runAllTimers());
  expect(choices(), 'words that led to nothing are forgotten').toHaveLength(2);
});
