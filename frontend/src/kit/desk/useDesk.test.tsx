// @vitest-environment jsdom
import { act, cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { forgetKept } from '../../ui/window/useKept';
import { DomainProvider, noDomain } from '../domain';
import { type DeskState, useDesk } from './useDesk';

const opened = vi.fn();
const domain = {
  ...noDomain,
  useOpenLink: () => opened,
  useDestinations: () => ({ pages: [{ title: 'Queue', link: 'queue', shortcut: 'Alt+2' }], settings: [] }),
};

let desk: DeskState | undefined;
function Desk({ dialog = false }) {
  desk = useDesk();
  return (
    <>
      <input />
      {(dialog || desk.dialog) && <div role="dialog" aria-modal="true" />}
    </>
  );
}

const show = (dialog = false) =>
  render(
    <DomainProvider value={domain}>
      <Desk dialog={dialog} />
    </DomainProvider>,
  );
const press = (more: KeyboardEventInit = {}) => {
  const field = document.querySelector('input') ?? document.body;
  fireEvent.keyDown(field, { key: '“', code: 'Digit2', altKey: true, ...more });
};

afterEach(() => {
  cleanup();
  forgetKept();
  opened.mockClear();
});

it('opens a page by the place of its key, while something is typed too', () => {
  show();
  press();
  expect(opened).toHaveBeenCalledExactlyOnceWith('queue');
});

it.each([{ isComposing: true }, { altKey: false }, { ctrlKey: true }, { code: 'Numpad2' }])('not by %o', (more) => {
  show();
  press(more);
  expect(opened).not.toHaveBeenCalled();
});

it('opens none behind a dialog, nor over a form of the palette, but from its list', () => {
  const { unmount } = show(true);
  press();
  unmount();
  show();
  fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  expect(desk?.dialog).toBe('palette');
  press();
  expect(opened).toHaveBeenCalledExactlyOnceWith('queue');
  expect(desk?.dialog).toBeUndefined();
});

it('finds actions by Ctrl K, but not over a dialog or under a card', () => {
  const find = () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const { unmount } = show(true);
  find();
  expect(desk?.dialog).toBeUndefined();
  unmount();
  show();
  find();
  expect(desk?.dialog).toBe('palette');
  act(() => desk?.setCommand('order.cancel'));
  document.body.insertAdjacentHTML('beforeend', '<div id="card" role="dialog" aria-modal="true"></div>');
  find();
  expect(desk?.command, 'under a card').toBe('order.cancel');
  document.querySelector('#card')?.remove();
  find();
  expect(desk?.command, 'back to the list').toBeUndefined();
});
