// @vitest-environment jsdom
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApprovalCard } from '../../bridge/approval';
import { keyOf } from '../../bridge/names';
import { at } from '../../bridge/schema';
import { i18n } from '../../language/i18n';
import {
  byStep,
  capabilityOfStep,
  inNames,
  mayTakeFocus,
  originText,
  runsOf,
  sentLines,
  termsAskedFor,
  timeLeft,
  usedValues,
} from './cards';

const card = (approval_id: string, sentence = '', request_id = `of ${approval_id}`): ApprovalCard => ({
  approval_id,
  request_id,
  capability: 'checkout.submit',
  title: 'Submit order',
  side_effect: 'destructive',
  sentence,
  arguments: [],
  expires_at: 0,
});

describe('timeLeft', () => {
  it('counts minutes and seconds', () => expect(timeLeft(245_000, 0)).toBe('4:05'));
  it('stops at zero', () => expect(timeLeft(0, 5000)).toBe('0:00'));
});

describe('originText', () => {
  it('says who it is from', () => expect(originText('guess')).toBe('assistant’s guess'));
  it('keeps a word it does not know', () => expect(originText('plan')).toBe('plan'));
});

describe('termsAskedFor', () => {
  const asked = [
    { pointer: '/limits/uses', label: 'Uses', value: 3, text: '3', origin: 'guess' as const },
    { pointer: '/until', label: 'Until', value: '2026-03-31', text: '2026-03-31', origin: 'guess' as const },
  ];
  it('has the end that the request gets, not the day as it was written', () =>
    expect(termsAskedFor({ ...card('a'), arguments: asked, facts: { until: 1774998000000 } })).toEqual({
      constraints: undefined,
      ...{ limits: { uses: 3 }, until: 1774998000000 },
    }));
  it('has no end where none is known', () =>
    expect(termsAskedFor({ ...card('a'), arguments: asked }).until).toBeUndefined());
});

describe('mayTakeFocus', () => {
  beforeEach(() => {
    document.body.innerHTML = '<input id="search"><div data-conversation><textarea id="say"></textarea></div>';
  });
  const focused = (id: string) => document.getElementById(id);
  it('takes it from nobody', () => expect(mayTakeFocus(document.body)).toBe(true));
  it('takes it from the sentence that was just sent', () => expect(mayTakeFocus(focused('say'))).toBe(true));
  it('leaves it with a sentence being written', () => {
    const say = focused('say') as HTMLTextAreaElement;
    say.value = 'and also';
    expect(mayTakeFocus(say)).toBe(false);
  });
  it('leaves it with another field', () => expect(mayTakeFocus(focused('search'))).toBe(false));
});

describe('a step that is done for each row', () => {
  const arg = (pointer: string, value: string, through?: number) => ({
    pointer,
    label: '',
    value,
    text: value,
    through,
  });
  const args = [
    arg('/steps/0/capability', 'note.list'),
    arg('/steps/1/capability', 'note.add', 3),
    arg('/steps/1/arguments/text', 'late', 3),
    ...[1, 2, 3].map((step) => arg(`/steps/${step}/arguments/id`, `n${step}`)),
    arg('/steps/4/capability', 'note.end'),
  ];
  it('is one run of steps', () =>
    expect(runsOf(args, 5)).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 3 },
      { first: 4, last: 4 },
    ]));
  it('never runs backwards or beyond the steps', () => {
    const wrong = [arg('/steps/1/capability', 'x', -4), arg('/steps/2/capability', 'y', 99)];
    expect(runsOf(wrong, 4)).toEqual([
      { first: 0, last: 0 },
      { first: 1, last: 1 },
      { first: 2, last: 3 },
    ]);
  });
  it('has the values that all rows share', () => {
    expect([0, 2, 4].map((step) => capabilityOfStep(args, step))).toEqual(['note.list', 'note.add', 'note.end']);
    expect((usedValues(args).steps as unknown[])[3]).toEqual({
      capability: 'note.add',
      arguments: { id: 'n3', text: 'late' },
    });
  });
});

describe('usedValues', () => {
  it('is the object that the card shows value by value', () =>
    expect(
      usedValues([
        { pointer: '/orderId', value: '#W1' },
        { pointer: '/changes/0/variantId', value: 'a' },
        { pointer: '/changes/1/variantId', value: 'b' },
        { pointer: '/price', value: { amount: 5, currency: 'USD' } },
        { pointer: '/odd~1name', value: null },
      ]),
    ).toEqual({
      orderId: '#W1',
      changes: [{ variantId: 'a' }, { variantId: 'b' }],
      price: { amount: 5, currency: 'USD' },
      'odd/name': null,
    }));
});

describe('names that every object inherits', () => {
  const pointers = ['/__proto__/dryRun', '/constructor/prototype/autonomy', '/lines/0/__proto__/x', '/toString/x/0'];

  it.each([...pointers, '/lines/__proto__/x'])('%s in a call changes no other object', (pointer) => {
    const values = usedValues([
      { pointer: '/lines/0/quantity', value: 2 },
      { pointer, value: 'own' },
      { pointer: '/dryRun/beneath/a/value', value: 1 },
    ]);
    for (const name of ['dryRun', 'autonomy', 'x', '0']) {
      expect(name in {}).toBe(false);
      expect(name in (() => undefined)).toBe(false);
    }
    expect('x' in []).toBe(false);
    expect(at(values, '/lines/0/quantity')).toBe(2);
  });

  it.each(pointers)('%s is among the values as it was sent', (pointer) =>
    expect(at(JSON.parse(JSON.stringify(usedValues([{ pointer, value: 'own' }]))), pointer)).toBe('own'),
  );

  it('are no origins and no names of ids', () => {
    expect(originText('valueOf')).toBe('valueOf');
    expect(inNames('Tell constructor and hasOwnProperty', new Map())).toBe('Tell constructor and hasOwnProperty');
  });

  it('lie beneath no value', () =>
    expect(
      usedValues([
        { pointer: '/note', value: 'x' },
        { pointer: '/note/length', value: 5 },
        { pointer: '/none', value: null },
        { pointer: '/none/more', value: 5 },
      ]),
    ).toEqual({ note: 'x', none: null }));
});

describe('byStep', () => {
  const arg = (pointer: string) => ({ pointer, label: 'Steps', value: 'x', text: 'x' });
  it('gives each step its own values', () => {
    const steps = byStep([
      arg('/steps/0/capability'),
      arg('/steps/0/arguments/orderId'),
      arg('/steps/1/arguments/lines/0/sku'),
    ]);
    expect([...steps].map(([step, args]) => [step, args.map(({ label }) => label)])).toEqual([
      [0, ['Order']],
      [1, ['Lines 1 sku']],
    ]);
  });
  it('leaves out what the sentence of a step says, and no argument of the same name', () => {
    const steps = byStep([
      ...[arg('/steps/0/capability'), { ...arg('/steps/0/arguments'), value: {} }],
      ...[arg('/steps/1/arguments/capability'), arg('/steps/1/arguments/arguments')],
    ]);
    expect([...steps].map(([step, args]) => [step, args.map(({ pointer }) => pointer)])).toEqual([
      [1, ['/capability', '/arguments']],
    ]);
  });
  it('labels what lies in an argument by its place, and an argument by its title', () =>
    expect(
      byStep([
        { ...arg('/lines/0/variantId'), label: 'Lines 1 variant' },
        { ...arg('/note'), label: 'Note for the parcel' },
      ]).get(-1),
    ).toMatchObject([{ label: 'Lines 1 variant' }, { label: 'Note for the parcel' }]));
  it('keeps what belongs to no step', () => expect(byStep([arg('/reason')]).get(-1)).toHaveLength(1));
});

describe('inNames', () => {
  const names = new Map([
    [keyOf({ entity: 'customer', id: 'cus_201100' }), 'Ana Ruiz'],
    [keyOf({ entity: 'method', id: 'standard' }), 'Standard shipping'],
    [keyOf({ entity: 'method', id: 'both_201100' }), 'Express'],
    [keyOf({ entity: 'class', id: 'both_201100' }), 'Goods'],
  ]);
  it('puts names in place of ids that only a program writes', () =>
    expect(inNames('Let it cancel for cus_201100 by standard, 5 times', names)).toBe(
      'Let it cancel for Ana Ruiz by standard, 5 times',
    ));
  it('leaves an id that people wrote, and one of two records', () => {
    expect(inNames('Note “cus_201100”', names, ['ask cus_201100'])).toBe('Note “cus_201100”');
    expect(inNames('Take both_201100', names)).toBe('Take both_201100');
  });
});

describe('sentLines', () => {
  afterEach(() => i18n.activate('en'));

  it('names every value of what is sent by its place', () => {
    const mail = {
      ...{ to: 'ana@example.com', subject: 'Your receipt', copy: '' },
      attachments: [{ name: 'receipt.pdf', bytes: 1200 }],
      body: {
        ...{ event: 'order', sentAt: Date.UTC(2026, 10, 20) },
        order: { total: { amount: 4783, currency: 'USD' }, paid: true, shippingAddress: { city: 'Portland' } },
        lines: [{ sku: 'A' }, { sku: 'B' }],
      },
    };
    expect(sentLines(mail).map(({ label, text }) => [label, text])).toEqual([
      ['To', 'ana@example.com'],
      ['Subject', 'Your receipt'],
      ['Attachments name', 'receipt.pdf'],
      ['Attachments bytes', '1200'],
      ['Event', 'order'],
      ['Sent at', expect.stringContaining('2026')],
      ['Order total', '$47.83'],
      ['Order paid', 'yes'],
      ['Shipping address city', 'Portland'],
      ['Lines 1 sku', 'A'],
      ['Lines 2 sku', 'B'],
    ]);
  });

  it('leaves the words of another language as they are written', () => {
    i18n.load('de', { Order: 'Bestellung', Total: 'Gesamtbetrag' });
    i18n.activate('de');
    expect(sentLines({ order: { total: 'x', paid: 'y' } }).map(({ label }) => label)).toEqual([
      'Bestellung Gesamtbetrag',
      'Bestellung Paid',
    ]);
  });
});
