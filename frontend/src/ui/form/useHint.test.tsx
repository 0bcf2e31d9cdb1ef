// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { Activity } from 'react';
import { afterEach, expect, it } from 'vitest';
import { useHint } from './useHint';

afterEach(cleanup);

function Control({ words }: { words?: string }) {
  const { pointed, hint } = useHint(words);
  return (
    <>
      <button type="button" {...pointed}>
        Do it
      </button>
      {hint}
    </>
  );
}

function Page({ words = 'Not now', shown = true }: { words?: string; shown?: boolean }) {
  return (
    <MantineProvider env="test">
      <Activity mode={shown ? 'visible' : 'hidden'}>
        <Control words={words} />
      </Activity>
    </MantineProvider>
  );
}

const control = () => screen.getByRole('button', { hidden: true });
const said = () => screen.queryByRole('tooltip', { hidden: true })?.textContent;

it('says its words while it is pointed at for a while', async () => {
  render(<Page />);
  fireEvent.mouseEnter(control());
  expect(said()).toBeUndefined();
  await waitFor(() => expect(said()).toBe('Not now'));
  fireEvent.mouseLeave(control());
  await waitFor(() => expect(said()).toBeUndefined());
});

it('says nothing when the pointer only passes, or there is nothing to say', async () => {
  const { rerender } = render(<Page />);
  fireEvent.mouseEnter(control());
  fireEvent.mouseLeave(control());
  await new Promise((over) => setTimeout(over, 400));
  expect(said()).toBeUndefined();
  rerender(<Page words="" />);
  fireEvent.mouseEnter(control());
  await new Promise((over) => setTimeout(over, 400));
  expect(said()).toBeUndefined();
});

it('says nothing to somebody who has not pointed at it since there is something to say', async () => {
  const { rerender } = render(<Page words="" />);
  fireEvent.mouseEnter(control());
  await new Promise((over) => setTimeout(over, 400));
  rerender(<Page />);
  expect(said()).toBeUndefined();
  fireEvent.mouseLeave(control());
  fireEvent.mouseEnter(control());
  await waitFor(() => expect(said()).toBe('Not now'));
  rerender(<Page words="" />);
  expect(said()).toBeUndefined();
  rerender(<Page />);
  expect(said()).toBeUndefined();
});

it('is dismissed with Escape, without leaving the control', async () => {
  render(<Page />);
  fireEvent.mouseEnter(control());
  await waitFor(() => expect(said()).toBe('Not now'));
  fireEvent.keyDown(control(), { key: 'Escape' });
  await waitFor(() => expect(said()).toBeUndefined());
});

it('is gone when somebody comes back to a page that was left while it was there', async () => {
  const { rerender } = render(<Page />);
  fireEvent.mouseEnter(control());
  await waitFor(() => expect(said()).toBe('Not now'));
  rerender(<Page shown={false} />);
  rerender(<Page />);
  await waitFor(() => expect(said()).toBeUndefined());
});
