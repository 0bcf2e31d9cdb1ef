// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it, vi } from 'vitest';
import { ActionButton } from './ActionButton';

afterEach(cleanup);

function show(disabledReason?: string) {
  const clicked = vi.fn();
  render(
    <MantineProvider env="test">
      <ActionButton onClick={clicked} disabledReason={disabledReason}>
        Hold
      </ActionButton>
    </MantineProvider>,
  );
  return clicked;
}

const button = () => screen.getByRole('button', { name: /^Hold/ });

it('that cannot be used stays within reach, says why, and does nothing', async () => {
  const clicked = show('The cart is empty.');
  const user = userEvent.setup();
  await user.tab();
  expect(document.activeElement).toBe(button());
  expect(button().getAttribute('aria-disabled')).toBe('true');
  expect(button().hasAttribute('disabled')).toBe(false);
  const described = document.getElementById(button().getAttribute('aria-describedby') ?? '');
  expect(described?.textContent).toBe('The cart is empty.');
  await user.keyboard('{Enter}');
  await user.click(button());
  expect(clicked).not.toHaveBeenCalled();
});

it('that can be used does what it says', async () => {
  const clicked = show();
  await userEvent.setup().click(button());
  expect(clicked).toHaveBeenCalledOnce();
  expect(button().hasAttribute('aria-describedby')).toBe(false);
});
