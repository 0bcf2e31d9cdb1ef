// @vitest-environment jsdom
import { cleanup, fireEvent, render } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { KeyLayer } from '../../ui/keys/useKeys';
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
      {(dialog || desk.dialog) && (
        <KeyLayer kind="dialog">
          <p />
        </KeyLayer>
      )}
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

it('opens none behind a dialog', () => {
  show(true);
  press();
  expect(opened).not.toHaveBeenCalled();
});

it('finds actions by Ctrl K, but not over a dialog', () => {
  const find = () => fireEvent.keyDown(document.body, { key: 'k', ctrlKey: true });
  const { unmount } = show(true);
  find();
  expect(desk?.dialog).toBeUndefined();
  unmount();
  show();
  find();
  expect(desk?.dialog).toBe('palette');
});

it('opens and closes the conversation, beside a dialog too', () => {
  show(true);
  fireEvent.keyDown(document.body, { key: 'j', ctrlKey: true });
  expect(desk?.chat).toBe('open');
});
