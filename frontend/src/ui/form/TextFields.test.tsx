// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, it, vi } from 'vitest';
import type { Field } from './fields';
import { TextFields } from './TextFields';

afterEach(cleanup);

const countries = () => [
  { value: 'DE', label: 'Germany' },
  { value: 'US', label: 'United States' },
  { value: 'AT', label: 'Austria' },
];
const fields: Field<'country'>[] = [{ name: 'country', label: 'Country', choices: countries }];

/** A form whose country is suggested a moment after it is shown. */
function Form({ suggested, onChosen }: { suggested: string; onChosen: (country: string) => void }) {
  const [chosen, setChosen] = useState('');
  const change = ({ country }: { country: string }) => {
    setChosen(country);
    onChosen(country);
  };
  return (
    <MantineProvider env="test">
      <TextFields at="" fields={fields} draft={{ country: chosen || suggested }} onChange={change} />
    </MantineProvider>
  );
}

it.each([
  ['before anything is typed', '', 'germ'],
  ['while it is typed', 'ge', 'rm'],
])('chooses what is typed, though a value arrives %s', async (_, before, after) => {
  const user = userEvent.setup();
  const chosen = vi.fn();
  const { rerender } = render(<Form suggested="" onChosen={chosen} />);
  const field = screen.getByRole('combobox', { name: 'Country' });
  await user.click(field);
  if (before) await user.keyboard(before);
  rerender(<Form suggested="US" onChosen={chosen} />);
  await user.keyboard(`${after}{Enter}`);
  expect(chosen.mock.calls).toEqual([['DE']]);
  expect(field).toHaveProperty('value', 'Germany');
});

it('shows a value that arrived while something else was typed and left', async () => {
  const user = userEvent.setup();
  const { rerender } = render(<Form suggested="" onChosen={() => {}} />);
  await user.click(screen.getByRole('combobox', { name: 'Country' }));
  await user.keyboard('x');
  rerender(<Form suggested="US" onChosen={() => {}} />);
  await user.tab();
  expect(screen.getByRole('combobox', { name: 'Country' })).toHaveProperty('value', 'United States');
});
