// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { MoneyInput } from './MoneyInput';
import { NumberField } from './NumberField';
import { hasUnreadable } from './unreadable';

const sent = vi.fn<(value: number | undefined) => void>();

function Form({ money, first, ...limits }: { money?: boolean; first?: number; max?: number; decimals?: number }) {
  const [value, setValue] = useState(first);
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!hasUnreadable(event.currentTarget)) sent(value);
        }}
      >
        {money ? (
          <MoneyInput label="Bound" currency="USD" value={value} onChange={setValue} />
        ) : (
          <NumberField label="Bound" min={0} {...limits} value={value} onChange={setValue} />
        )}
        <button type="submit">Send</button>
        <button type="button" onClick={() => setValue(7)}>
          Elsewhere
        </button>
      </form>
    </MantineProvider>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Bound' });

afterEach(() => {
  cleanup();
  sent.mockClear();
});

describe('a number that cannot be read', () => {
  it.each(['x', '1,5', '1e3', '0x10', '-1', '99'])('%s keeps its form from being sent, and says why', async (typed) => {
    const user = userEvent.setup();
    render(<Form max={50} first={3} />);
    await user.clear(field());
    await user.type(field(), `${typed}{Enter}`);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(sent).not.toHaveBeenCalled();
    expect(field().value).toBe(typed);
    expect(field().getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(field());
    await user.clear(field());
    await user.type(field(), '12{Enter}');
    expect(sent).toHaveBeenCalledExactlyOnceWith(12);
  });
  it.each(['ten', '1.234', '12.345', '$5'])('an amount %s does so too', async (typed) => {
    const user = userEvent.setup();
    render(<Form money />);
    await user.type(field(), `${typed}{Enter}`);
    expect(sent).not.toHaveBeenCalled();
    expect(field().getAttribute('aria-invalid')).toBe('true');
  });
});

describe('a number that can be read', () => {
  it.each([
    ['1,000.00', 100_000],
    ['1.000,00', 100_000],
    ['12,5', 1250],
    ['0.07', 7],
    ['1250', 125_000],
    ['', undefined],
  ])('is an amount: %s', async (typed, minor) => {
    const user = userEvent.setup();
    render(<Form money />);
    await user.type(field(), `${typed}{Enter}`);
    expect(sent).toHaveBeenCalledExactlyOnceWith(minor);
    expect(field().value).toBe(typed);
  });
  it('is written anew when it becomes another one elsewhere', async () => {
    const user = userEvent.setup();
    render(<Form money first={1850} />);
    expect(field().value).toBe('18.50');
    await user.clear(field());
    await user.type(field(), '3,5');
    await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
    expect(field().value).toBe('0.07');
  });
  it('goes up and down by the arrow keys, within its limits', async () => {
    const user = userEvent.setup();
    render(<Form max={2} />);
    await user.click(field());
    await user.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(field().value).toBe('2');
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
    expect(sent).toHaveBeenCalledExactlyOnceWith(0);
  });
});
