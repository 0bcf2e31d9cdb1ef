// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Select } from '../form/Select';
import { theme } from '../theme/theme';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const lengths = ['An hour', 'A day', 'A week'];

function Length({ first, searchable, later }: { first: string | null; searchable: boolean; later: boolean }) {
  const [value, setValue] = useState(first);
  const [data, setData] = useState(later ? [] : lengths);
  return (
    <Select
      label="How long"
      {...{ data, value, searchable }}
      onChange={setValue}
      onFocus={() => setTimeout(() => setData(lengths), 100)}
    />
  );
}

/** Presses keys on a list of lengths; a pause lets what was put off be done. The answer is what the field says. */
function pressed(
  keys: readonly string[],
  { first = null as string | null, searchable = false, later = false } = {},
): string {
  render(
    <MantineProvider theme={theme} env="test">
      <Length {...{ first, searchable, later }} />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'How long' });
  act(() => field.focus());
  for (const key of keys) {
    if (key === 'pause') act(() => vi.runAllTimers());
    else fireEvent.keyDown(field, { key, code: key });
  }
  act(() => vi.runAllTimers());
  return field.value;
}

describe('a list to choose from', () => {
  const [open, down, enter, pause] = ['Enter', 'ArrowDown', 'Enter', 'pause'];
  it('takes what was marked while it opened', () => {
    expect(pressed([open, down, pause, enter])).toBe('An hour');
  });
  it('counts each key, whenever it was pressed', () => {
    for (const keys of [
      [open, pause, down, pause, down, pause, enter],
      [open, down, down, enter],
      [open, down, pause, down, enter],
      [open, down, down, enter, 'Tab'],
    ]) {
      expect(pressed(keys), keys.join(' ')).toBe('A day');
      cleanup();
    }
  });
  it('counts a key after another one, before it has opened', () => {
    expect(pressed([open, 'x', down, pause, enter])).toBe('An hour');
  });
  it('is left by Escape, whatever was pressed before it', () => {
    expect(pressed([open, down, 'Escape'])).toBe('');
    expect(screen.queryByRole('listbox')).toBeNull();
  });
  it('begins at what is chosen', () => {
    expect(pressed([open, down, enter], { first: 'A day' })).toBe('A week');
  });
  it('has the first or the chosen one marked when an arrow opened it, though its options came later', async () => {
    for (const [first, second] of [
      [null, 'A day'],
      ['A day', 'A week'],
    ] as const) {
      pressed([down], { later: true, first });
      await act(async () => {});
      const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'How long' });
      expect(screen.getByRole('option', { name: first ?? 'An hour' }).dataset).toHaveProperty('comboboxSelected');
      for (const key of [down, enter]) fireEvent.keyDown(field, { key, code: key });
      expect(field.value).toBe(second);
      cleanup();
    }
  });
  it('has one marked again when the marked one has gone', async () => {
    pressed([down]);
    const [first, second] = screen.getAllByRole('option');
    first?.remove();
    await act(async () => {});
    expect(second?.hasAttribute('data-combobox-selected')).toBe(true);
  });
  it('takes the first one right after a search field got the focus', () => {
    expect(pressed([down, pause, enter], { searchable: true })).toBe('An hour');
  });
});
