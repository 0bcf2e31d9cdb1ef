// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { theme } from '../theme/theme';
import { Select } from './Select';

afterEach(cleanup);

it('has its list in the page while it has the focus', () => {
  render(
    <MantineProvider theme={theme} env="test">
      <Select label="How long" data={['An hour', 'A day']} defaultValue="A day" />
    </MantineProvider>,
  );
  const field = screen.getByRole<HTMLInputElement>('combobox', { name: 'How long' });
  const options = () => document.querySelectorAll('[role="option"]').length;
  expect(options()).toBe(0);
  act(() => field.focus());
  expect(options()).toBe(2);
  fireEvent.keyDown(field, { key: 'ArrowDown', code: 'ArrowDown' });
  const marked = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
  expect(marked?.textContent).toBe('A day');
  act(() => field.blur());
  expect(options()).toBe(0);
  expect(field.value).toBe('A day');
});
