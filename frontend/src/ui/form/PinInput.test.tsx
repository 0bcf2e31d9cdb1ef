// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, it } from 'vitest';
import { PinInput } from './PinInput';

let now = 1000;
let sent: string[] = [];

function Form() {
  const [pin, setPin] = useState('');
  return (
    <MantineProvider env="test">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (pin !== '') sent.push(pin);
        }}
      >
        <PinInput label="PIN" value={pin} onChange={setPin} />
      </form>
    </MantineProvider>
  );
}

const field = () => screen.getByLabelText<HTMLInputElement>('PIN');

/** Types keys into the field with a gap in milliseconds, and changes and submits the form as a browser does. */
function type(keys: string[], gap: number): void {
  now += 1000;
  for (const key of keys) {
    now += gap;
    const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    Object.defineProperty(event, 'timeStamp', { value: now });
    const goesOn = fireEvent(field(), event);
    if (key === 'Enter' && goesOn && field().form) fireEvent.submit(field());
    if (key !== 'Enter') fireEvent.change(field(), { target: { value: field().value + key } });
  }
}

afterEach(() => {
  cleanup();
  sent = [];
});

const message = () => screen.queryByText('A scanned code is no PIN, so it was not tried. Type the PIN.');

it.each(['4006381333931', '96385074', 'SKU-77', '590123412345'])('a scan of %s is no attempt', (code) => {
  render(<Form />);
  type([...code, 'Enter'], 8);
  expect(sent).toEqual([]);
  expect(message()).not.toBeNull();
  expect(field().value).toBe('');
  type([...'4711', 'Enter'], 120);
  expect(sent).toEqual(['4711']);
  expect(message()).toBeNull();
});

it('a code of a slow scanner that is longer than a PIN is no attempt', () => {
  render(<Form />);
  type([...'4006381333931', 'Enter'], 90);
  expect(sent).toEqual([]);
  expect(message()).not.toBeNull();
});

it.each(['4711', '901234', '123456789012'])('a PIN of %s that a person types is one', (pin) => {
  render(<Form />);
  type([...pin, 'Enter'], 110);
  expect(sent).toEqual([pin]);
});

it.each(['4711', '482915'])('a short PIN of %s is one however fast', (pin) => {
  render(<Form />);
  type([...pin, 'Enter'], 2);
  expect(sent).toEqual([pin]);
});
