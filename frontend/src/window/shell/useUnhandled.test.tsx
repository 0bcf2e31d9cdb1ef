// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { Notifications, notifications } from '@mantine/notifications';
import { act, cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { useUnhandled } from './useUnhandled';

function Window() {
  useUnhandled();
  return null;
}

beforeEach(() => {
  render(
    <MantineProvider env="test">
      <Notifications />
      <Window />
    </MantineProvider>,
  );
});
afterEach(() => {
  act(() => notifications.clean());
  cleanup();
});

const tell = (event: Event) => act(() => window.dispatchEvent(event));
const notices = () => document.body.textContent;

it('tells of an error in a handler, and of a promise that nobody awaits', async () => {
  tell(new ErrorEvent('error', { error: new Error('undefined is no function'), message: 'x' }));
  expect(await screen.findByText(/undefined is no function/)).toBeTruthy();
  const reason = new Error('nobody hears this');
  tell(Object.assign(new Event('unhandledrejection'), { reason }));
  expect(notices()).toContain('Something in the window went wrong');
});

it('does not tell of what the browser observes, nor of the server of the development build', () => {
  tell(new ErrorEvent('error', { message: 'ResizeObserver loop completed with undelivered notifications.' }));
  tell(new ErrorEvent('error', { error: new Error('no nodes'), filename: 'http://127.0.0.1/wails/ipc.js' }));
  expect(notices()).not.toContain('went wrong');
});
