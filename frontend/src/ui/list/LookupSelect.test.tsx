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

function Address() {
  const { words, field, choose } = useLookup();
  const [value, setValue] = useState<string | null>(null);
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
