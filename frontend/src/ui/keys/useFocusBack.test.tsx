// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { useFocusBack } from './useFocusBack';

function Dialog() {
  useFocusBack();
  return <div role="dialog" />;
}

/** Buttons, and a dialog that the first of them opened. */
const desk = (names: readonly string[], open: boolean) => (
  <>
    <div>
      {names.map((name) => (
        <button key={name} type="button">
          {name}
        </button>
      ))}
    </div>
    {open && <Dialog />}
  </>
);

afterEach(cleanup);

it.each([
  ['the button that opened the dialog', ['Exchange', 'More'], 'Exchange'],
  ['what is beside it when it is gone', ['Receive', 'More'], 'Receive'],
])('gives the focus to %s', (_, names, focused) => {
  const { rerender } = render(desk(['Exchange', 'More'], false));
  screen.getByText('Exchange').focus();
  rerender(desk(['Exchange', 'More'], true));
  screen.getByText('Exchange').blur();
  rerender(desk(names, true));
  rerender(desk(names, false));
  expect(document.activeElement?.textContent).toBe(focused);
});
