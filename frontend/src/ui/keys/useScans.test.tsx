// @vitest-environment jsdom
import { cleanup, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, describe, expect, it } from 'vitest';
import { KeyLayer } from './useKeys';
import { type Scan, useDialogScans, useScans } from './useScans';

const CODE = '4006381333931';
let now = 1000;
let heard: Scan[] = [];
let received: string[] = [];
let pressed: string[] = [];

/** Presses a key as the person or the scanner would, `gap` milliseconds after the one before. */
function press(key: string, gap: number, more: KeyboardEventInit = {}): void {
  now += gap;
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...more });
  Object.defineProperty(event, 'timeStamp', { value: now });
  const at = document.activeElement ?? document.body;
  if (!at.dispatchEvent(event)) return;
  if (key === 'Enter' && at instanceof HTMLButtonElement) at.click();
  if (key.length === 1 && at instanceof HTMLInputElement && at.type !== 'radio') {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(at, at.value + key);
    at.dispatchEvent(new Event('input', { bubbles: true }));
  }
}

function scan(code: string, gap = 10): void {
  press(code.charAt(0), 500);
  for (const key of [...code].slice(1)) press(key, gap);
  press('Enter', gap);
}

function Delivery() {
  useDialogScans((code) => received.push(code));
  return (
    <KeyLayer kind="dialog">
      <input aria-label="Received" inputMode="numeric" value="12" readOnly />
    </KeyLayer>
  );
}

function Desk({ dialog = false }: { dialog?: boolean }) {
  const [pieces, setPieces] = useState('3');
  const [words, setWords] = useState('half a');
  useScans((one) => heard.push(one));
  return (
    <>
      <button type="button" onClick={() => pressed.push('deny')}>
        Deny
      </button>
      <KeyLayer key={`${dialog}`} kind={dialog ? 'dialog' : 'page'}>
        <input aria-label="Pieces" inputMode="numeric" value={pieces} onChange={(e) => setPieces(e.target.value)} />
        <input aria-label="Words" value={words} onChange={(e) => setWords(e.target.value)} />
      </KeyLayer>
      <input aria-label="Search" type="search" />
      <output>{`${pieces} | ${words}`}</output>
    </>
  );
}

const codes = () => heard.map(({ code }) => code);

afterEach(() => {
  cleanup();
  heard = [];
  received = [];
  pressed = [];
});

describe('useScans', () => {
  it('hears a scan with the focus nowhere, and one scan after the other', () => {
    render(<Desk />);
    scan(CODE);
    scan('NL-ENA-01');
    expect(codes()).toEqual([CODE, 'NL-ENA-01']);
  });

  it('presses no button', () => {
    render(<Desk />);
    screen.getByRole('button').focus();
    scan(CODE);
    expect(codes()).toEqual([CODE]);
    expect(pressed).toEqual([]);
  });

  it.each(['Pieces', 'Words'])('leaves %s as it was', (field) => {
    render(<Desk />);
    screen.getByLabelText(field).focus();
    scan(CODE, 50);
    expect(codes()).toEqual([CODE]);
    expect(screen.getByRole('status').textContent).toBe('3 | half a');
  });

  it.each([10, -60])('restores the field of the second scan, %s milliseconds after the first on a button', (gap) => {
    render(<Desk />);
    screen.getByRole('button').focus();
    scan(CODE);
    screen.getByLabelText('Words').focus();
    press('4', gap);
    for (const key of ['0', '0', '6', '3', '8', 'Enter']) press(key, 10);
    expect(codes()).toEqual([CODE, '400638']);
    expect(screen.getByRole('status').textContent).toBe('3 | half a');
  });

  it('takes both Enters of a scanner that ends a code with two', () => {
    render(<Desk />);
    screen.getByRole('button').focus();
    scan(CODE);
    press('Enter', 10);
    expect(codes()).toEqual([CODE]);
    expect(pressed).toEqual([]);
    press('Enter', 60);
    expect(pressed).toEqual(['deny']);
  });

  it('hears capitals', () => {
    render(<Desk />);
    press('Shift', 500);
    press('N', 10, { shiftKey: true });
    for (const key of ['L', '-', '1', '0', '0', 'Enter']) press(key, 10);
    expect(codes()).toEqual(['NL-100']);
  });

  it.each([
    ['a person, who is slower', () => scan(CODE, 51)],
    ['a word that is too short', () => scan('mug')],
    ['words', () => scan('two mugs')],
    [
      'an Enter that comes later',
      () => {
        for (const key of CODE) press(key, 10);
        press('Enter', 60);
      },
    ],
    [
      'a key that is held',
      () => {
        for (const key of 'aaaaaa') press(key, 30, { repeat: true });
        press('Enter', 30);
      },
    ],
    [
      'a shortcut on the way',
      () => {
        for (const key of ['a', 'b', 'F9', 'c', 'd', 'Enter']) press(key, 10);
      },
    ],
  ])('does not take for a scan %s', (_, type) => {
    render(<Desk />);
    screen.getByRole('button').focus();
    type();
    expect(codes()).toEqual([]);
    expect(pressed).toEqual(['deny']);
  });

  it('does not take for a scan what was typed into another field than Enter is pressed in', () => {
    render(<Desk />);
    screen.getByLabelText('Words').focus();
    for (const key of 'la-Zouch') press(key, 10);
    screen.getByLabelText('Pieces').focus();
    press('Enter', 10);
    expect(codes()).toEqual([]);
  });

  it.each([
    ['hears a scan', 'Words', [CODE], []],
    ['leaves a code to a search of its own', 'Search', [], ['deny']],
  ])('%s when the focus goes to a button on the way', (_, field, scanned, buttons) => {
    render(<Desk />);
    screen.getByLabelText(field).focus();
    press('4', 500);
    screen.getByRole('button').focus(); // as a sale ends, and its next step is offered
    for (const key of [...CODE].slice(1)) press(key, 10);
    press('Enter', 10);
    expect(codes()).toEqual(scanned);
    expect(pressed).toEqual(buttons);
    expect(screen.getByRole('status').textContent).toBe('3 | half a');
  });

  it('leaves a code to a search of its own', () => {
    render(<Desk />);
    screen.getByLabelText('Search').focus();
    scan(CODE);
    expect(codes()).toEqual([]);
    expect((screen.getByLabelText('Search') as HTMLInputElement).value).toBe(CODE);
  });

  it('in a dialog is heard too, but by what is for codes', () => {
    render(<Desk dialog />);
    for (const field of ['Words', 'Pieces']) {
      screen.getByLabelText(field).focus();
      scan(CODE);
    }
    screen.getByRole('button').focus();
    scan(CODE);
    expect(codes()).toEqual([CODE, CODE, CODE]);
    expect(screen.getByRole('status').textContent).toBe('3 | half a');
    expect(pressed).toEqual([]);
    screen.getByLabelText('Words').setAttribute('data-codes', '');
    screen.getByLabelText('Words').focus();
    scan(CODE);
    expect(codes()).toHaveLength(3);
    expect(screen.getByRole('status').textContent).toBe(`3 | half a${CODE}`);
  });

  it('gives a dialog that asks for it what is scanned while it is open', () => {
    const delivery = (open: boolean) => (
      <>
        <Desk />
        {open && <Delivery />}
      </>
    );
    const { rerender } = render(delivery(true));
    screen.getByLabelText('Received').focus();
    scan(CODE);
    expect([codes(), received]).toEqual([[], [CODE]]);
    rerender(delivery(false));
    scan(CODE);
    expect([codes(), received]).toEqual([[CODE], [CODE]]);
  });
});
