// @vitest-environment jsdom
import { MantineProvider, Select } from '@mantine/core';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { type ReactNode, useRef, useState } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { dialogIsOpen, listedKeys } from './registry';
import { KeyLayer, useKeys, useUnboundKeys } from './useKeys';

const heard = vi.fn<(what: string) => void>();

interface KeysProps {
  of: string;
  keys: readonly string[];
  always?: boolean;
}

/** Binds keys; each says whose it was. */
function Keys({ of, keys, always }: KeysProps) {
  useKeys(
    Object.fromEntries(keys.map((key) => [key, { does: `${of} ${key}`, act: () => heard(`${of} ${key}`), always }])),
  );
  return null;
}

const Dialog = ({ name, children }: { name: string; children?: ReactNode }) => (
  <KeyLayer kind="dialog" onEscape={() => heard(`${name} left`)}>
    {children}
  </KeyLayer>
);

function Card() {
  const element = useRef<HTMLDivElement>(null);
  return (
    <KeyLayer kind="card" within={element} onEscape={() => heard('denied')}>
      <div ref={element}>
        <button type="button">Deny</button>
        <Keys of="card" keys={['Shift+F8']} />
      </div>
    </KeyLayer>
  );
}

const said = () => heard.mock.calls.map(([what]) => what);

afterEach(() => {
  cleanup();
  heard.mockClear();
});

describe('a key', () => {
  it('acts while something is typed if it types nothing', async () => {
    const user = userEvent.setup();
    render(
      <>
        <input aria-label="Words" />
        <Keys of="page" keys={['F2', 'Ctrl+K', 'Alt+1', '/', '?', 'Escape']} />
      </>,
    );
    await user.click(screen.getByRole('textbox'));
    await user.keyboard('{F2}{Control>}k{/Control}/?{Escape}');
    fireEvent.keyDown(screen.getByRole('textbox'), { key: '¡', code: 'Digit1', altKey: true });
    expect(said()).toEqual(['page F2', 'page Ctrl+K', 'page Alt+1']);
    expect(screen.getByRole('textbox')).toHaveProperty('value', '/?');
    await user.click(document.body);
    await user.keyboard('/{Shift>}?{/Shift}{Escape}');
    expect(said().slice(3)).toEqual(['page /', 'page ?', 'page Escape']);
  });

  it('is the page’s where the window binds it too, and is listed as what it does there', async () => {
    render(
      <>
        <Keys of="window" keys={['F2', 'F1']} />
        <KeyLayer kind="page">
          <Keys of="page" keys={['F2']} />
        </KeyLayer>
      </>,
    );
    await userEvent.keyboard('{F2}{F1}');
    expect(said()).toEqual(['page F2', 'window F1']);
    expect(Object.fromEntries(listedKeys())).toEqual({ F2: 'page F2', F1: 'window F1' });
  });

  it('has one user in a layer', () => {
    const twice = () =>
      render(
        <>
          <Keys of="cart" keys={['F4']} />
          <Keys of="search" keys={['F4']} />
        </>,
      );
    const error = vi.spyOn(console, 'error').mockReturnValue();
    expect(twice).toThrow('F4 is bound twice');
    error.mockRestore();
  });

  it('is left to an element that has taken it', async () => {
    render(
      <>
        <input aria-label="Words" onKeyDown={(event) => event.preventDefault()} />
        <Keys of="page" keys={['F2']} />
      </>,
    );
    screen.getByRole('textbox').focus();
    await userEvent.keyboard('{F2}');
    expect(said()).toEqual([]);
  });

  it('is told of when no layer binds it', async () => {
    function Waiting() {
      const [wait] = useState(() => (key: string) => heard(`unbound ${key}`));
      useUnboundKeys(wait);
      return null;
    }
    render(<Waiting />);
    await userEvent.keyboard('{F6}');
    expect(said()).toEqual(['unbound F6']);
  });
});

describe('a dialog', () => {
  it('keeps keys from the page, but not from the browser, and lets through those that act everywhere', async () => {
    render(
      <>
        <Keys of="page" keys={['F5']} />
        <Keys of="window" keys={['Ctrl+J']} always />
        <Dialog name="dialog" />
      </>,
    );
    expect(fireEvent.keyDown(document.body, { key: 'F5' }), 'the browser would load the page anew').toBe(false);
    await userEvent.keyboard('{Control>}j{/Control}');
    expect(said()).toEqual(['window Ctrl+J']);
  });

  it.each(['side by side', 'inside'])('has Escape alone when it is the top one, %s', async (place) => {
    const upper = <Dialog name="upper" />;
    const { rerender } = render(
      <Dialog name="lower" key="lower">
        {place === 'inside' && upper}
      </Dialog>,
    );
    if (place !== 'inside')
      rerender(
        <>
          <Dialog name="lower" key="lower" />
          {upper}
        </>,
      );
    await userEvent.keyboard('{Escape}');
    expect(said()).toEqual(['upper left']);
  });

  it('stays while a list in it is open', async () => {
    const user = userEvent.setup();
    render(
      <Dialog name="dialog">
        <MantineProvider env="test">
          <Select label="Country" data={['Peru']} />
        </MantineProvider>
      </Dialog>,
    );
    await user.click(screen.getByRole('combobox'));
    await user.keyboard('{Escape}');
    expect(said()).toEqual([]);
    await user.keyboard('{Escape}');
    expect(said()).toEqual(['dialog left']);
  });

  it('is gone with its component', async () => {
    const { unmount } = render(<Dialog name="dialog" />);
    expect(dialogIsOpen()).toBe(true);
    unmount();
    expect(dialogIsOpen()).toBe(false);
  });
});

describe('a card beside the page', () => {
  it('has its keys while the focus is in it, and none below a dialog', async () => {
    const page = <Keys of="page" keys={['Escape', 'Shift+F8']} />;
    const { rerender } = render(
      <>
        {page}
        <Card />
      </>,
    );
    const keys = '{Escape}{Shift>}{F8}{/Shift}';
    await userEvent.keyboard(keys);
    screen.getByRole('button').focus();
    await userEvent.keyboard(keys);
    expect(said()).toEqual(['page Escape', 'page Shift+F8', 'denied', 'card Shift+F8']);
    rerender(
      <>
        {page}
        <Card />
        <Dialog name="dialog" />
      </>,
    );
    screen.getByRole('button').focus();
    await userEvent.keyboard(keys);
    expect(said().slice(4)).toEqual(['dialog left']);
  });
});

it('a locked window hears no key', async () => {
  const element = vi.fn();
  render(
    // biome-ignore lint/a11y/noStaticElementInteractions: it only counts
    <div onKeyDown={element}>
      <Keys of="window" keys={['F1']} always />
      <Dialog name="dialog" />
      <KeyLayer kind="lock">
        <input aria-label="PIN" />
      </KeyLayer>
    </div>,
  );
  await userEvent.click(screen.getByRole('textbox'));
  await userEvent.keyboard('1{F1}{Escape}');
  expect(screen.getByRole('textbox')).toHaveProperty('value', '1');
  expect(said()).toEqual([]);
  expect(element).not.toHaveBeenCalled();
});

it('the keys are shown while Ctrl is held', async () => {
  const user = userEvent.setup();
  const shown = () => document.documentElement.hasAttribute('data-keys');
  await user.keyboard('{Control>}');
  expect(shown()).toBe(true);
  await user.keyboard('{/Control}');
  expect(shown()).toBe(false);
  await user.keyboard('{Control>}');
  fireEvent.blur(window);
  expect(shown(), 'in another window').toBe(false);
  await user.keyboard('{/Control}');
});

describe('a key that is held', () => {
  const show = () =>
    render(
      // biome-ignore lint/a11y/noStaticElementInteractions: it only counts
      <div onKeyDown={({ key }) => heard(key)}>
        <button type="button" onClick={() => heard('click')}>
          Add
        </button>
        <input aria-label="Words" />
        <textarea aria-label="Note" />
      </div>,
    );
  it.each(['Enter', 'F9', 'Escape', 'Delete', 'a'])('%s does once what it does on a button', async (key) => {
    const user = userEvent.setup();
    show();
    screen.getByRole('button').focus();
    await user.keyboard(`{${key}>5/}`);
    expect(said().filter((what) => what === key)).toHaveLength(1);
    expect(said().filter((what) => what === 'click').length).toBeLessThanOrEqual(1);
  });
  it.each(['Enter', 'F4'])('%s does once what it does in a field', async (key) => {
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole('textbox', { name: 'Words' }));
    await user.keyboard(`{${key}>5/}`);
    expect(heard).toHaveBeenCalledTimes(1);
  });
  it('writes in a field, moves anywhere, and ends lines in a text', async () => {
    const user = userEvent.setup();
    show();
    await user.type(screen.getByRole('textbox', { name: 'Words' }), '{a>3/}{Backspace>2/}');
    expect(screen.getByRole<HTMLInputElement>('textbox', { name: 'Words' }).value).toBe('a');
    await user.type(screen.getByRole('textbox', { name: 'Note' }), '{Enter>3/}');
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value).toBe('\n\n\n');
    heard.mockClear();
    screen.getByRole('button').focus();
    await user.keyboard('{ArrowDown>3/}');
    expect(heard).toHaveBeenCalledTimes(3);
  });
});
