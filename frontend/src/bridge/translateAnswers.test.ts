import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { i18n } from '../language/i18n';
import type { ApprovalCard } from './approval';
import type { Manifest, ManifestEntry } from './manifest';
import { translateAnswer, translateCard, translateEvent, translateManifest } from './translateAnswers';

beforeAll(() => {
  i18n.load('de', {
    'Hold the cart': 'Korb zurückstellen',
    'Puts the cart aside.': 'Stellt den Korb zurück.',
    'The cart is empty.': 'Der Korb ist leer.',
    'A label.': 'Eine Bezeichnung.',
    "Put {0}'s cart on hold": 'Korb von {0} zurückstellen',
    'a manager': 'ein Manager',
    Label: 'Bezeichnung',
    'Open the form: {text}': 'Das Formular öffnen: {text}',
    yes: 'ja',
  });
  i18n.activate('de');
});
afterAll(() => i18n.activate('en'));

describe('the manifest', () => {
  const manifest: Manifest = {
    schema_version: '1',
    application: { name: 'Hold the cart', version: '1' },
    capabilities: [
      {
        name: 'cart.hold',
        title: 'Hold the cart',
        description: 'Puts the cart aside. Use it when a customer has to wait.',
        side_effect: 'ui-only',
        available: false,
        unavailable_reason: 'The cart is empty.',
        input_schema: {
          properties: {
            title: { type: 'string', description: 'A label.', default: 'A label.', enum: ['Hold the cart'] },
          },
        },
      },
    ],
  };

  it('says titles, what it is for and why not', () =>
    expect(translateManifest(manifest).capabilities[0]).toMatchObject({
      name: 'cart.hold',
      title: 'Korb zurückstellen',
      help: 'Stellt den Korb zurück.',
      unavailable_reason: 'Der Korb ist leer.',
    }));

  it('says what a capability does in its help, or else in the first sentence for models', () => {
    const helpOf = (texts: { help?: string; description?: string }) =>
      translateManifest({ ...manifest, capabilities: [{ ...manifest.capabilities[0], ...texts } as ManifestEntry] })
        .capabilities[0]?.help;
    expect(helpOf({ help: 'A label.' })).toBe('Eine Bezeichnung.');
    expect(helpOf({ description: 'Takes 2.5 % off. Use it for b.c.' })).toBe('Takes 2.5 % off.');
    expect(helpOf({ description: undefined })).toBe('');
  });

  it('says what a schema tells of its fields, and leaves its values', () =>
    expect(translateManifest(manifest).capabilities[0]?.input_schema).toEqual({
      properties: {
        title: { type: 'string', description: 'Eine Bezeichnung.', default: 'A label.', enum: ['Hold the cart'] },
      },
    }));
});

const sentences = { 'cart.validate': ['problems'], 'order.search': ['orders.title'] };

describe('an answer', () => {
  it('says the sentences of the application', () =>
    expect(translateAnswer('cart.validate', { ok: false, problems: ['The cart is empty.'] }, sentences)).toEqual({
      ok: false,
      problems: ['Der Korb ist leer.'],
    }));

  it('writes the amounts in its sentences as the language does', () =>
    expect(translateAnswer('order.search', { orders: [{ title: '1001 · Ana · $1,026.39' }] }, sentences)).toEqual({
      orders: [{ title: '1001 · Ana · 1.026,39\u00a0$' }],
    }));

  it('is the same where the application says nothing', () => {
    const answer = { title: 'Hold the cart' };
    expect(translateAnswer('customer.get', answer)).toBe(answer);
  });
});

describe('what is told as it happens', () => {
  it('is said of a change', () =>
    expect(translateEvent('bus', { type: 'stateChange', domain: 'cart', summary: 'The cart is empty.' })).toEqual({
      ...{ type: 'stateChange', domain: 'cart', summary: 'Der Korb ist leer.' },
    }));

  it('is said of what the assistant did, not of what was said to it', () => {
    const update = { type: 'turn_ended', text: 'Hold the cart', error: 'The cart is empty.' };
    const actions = [
      { capability: 'cart.hold', title: 'Hold the cart', text: "Put Ana's cart on hold", outcome: 'done' },
    ];
    expect(translateEvent('chat', { ...update, actions })).toMatchObject({
      text: 'Hold the cart',
      error: 'Der Korb ist leer.',
      actions: [{ capability: 'cart.hold', title: 'Korb zurückstellen', text: 'Korb von Ana zurückstellen' }],
    });
  });

  it('is said of what is suggested, with the labels of its values', () => {
    const values = [
      { pointer: '/label', label: 'Label', value: 'Ana', text: 'Ana' },
      { pointer: '/price', label: 'Price', value: { amount: 550, currency: 'USD' }, text: '$5.50' },
    ];
    const suggestion = {
      capability: 'cart.hold',
      title: 'Hold the cart',
      text: 'Hold the cart: Label Ana, Price $5.50',
    };
    const plan = { capability: 'plan.propose', title: 'Hold the cart', text: 'Hold the cart' };
    expect(
      translateEvent('chat', { type: 'turn_ended', suggestions: [{ ...suggestion, values }], plan }),
    ).toMatchObject({
      suggestions: [{ title: 'Korb zurückstellen', text: 'Korb zurückstellen: Bezeichnung Ana, Price 5,50\u00a0$' }],
      plan: { title: 'Korb zurückstellen', text: 'Korb zurückstellen' },
    });
    expect(
      translateEvent('chat', { type: 'turn_ended', suggestions: [{ ...suggestion, values, form: {} }] }),
    ).toMatchObject({
      suggestions: [{ text: 'Das Formular öffnen: Korb zurückstellen: Bezeichnung Ana, Price 5,50\u00a0$' }],
    });
  });

  it('writes amounts as the language does: what a turn cost, and a value on a card', () => {
    const costs = [{ amount: '0.0034', currency: 'USD', text: '$0.0034' }];
    expect(translateEvent('chat', { type: 'turn_ended', usage: { input: 1, costs } })).toMatchObject({
      usage: { input: 1, costs: [{ amount: '0.0034', text: '0,0034\u00a0$' }] },
    });
    const price = { pointer: '/price', label: 'Price', value: { amount: 550, currency: 'USD' }, text: '$5.50' };
    const note = { pointer: '/note', label: 'Note', value: '$5.50', text: '$5.50' };
    expect(translateCard({ ...asked, arguments: [price, note] })).toMatchObject({
      arguments: [{ ...price, text: '5,50\u00a0$' }, note],
    });
  });

  it('is said on a card, whose values and ids stay', () => {
    const argument = { pointer: '/label', label: 'Label', value: 'Label', text: 'Label' };
    const card = { ...asked, arguments: [argument, { pointer: '/now', label: 'Now', value: true, text: 'yes' }] };
    expect(translateEvent('approval', { type: 'opened', card })).toEqual({ type: 'opened', card });
    expect(translateCard(card)).toMatchObject({
      approval_id: 'a',
      title: 'Korb zurückstellen',
      sentence: 'Korb von Ana zurückstellen',
      needs: 'ein Manager',
      arguments: [
        { ...argument, label: 'Bezeichnung' },
        { value: true, text: 'ja' },
      ],
    });
  });

  it('leaves the names of people in the sentences of a card, also where they are words of the application', () => {
    const said = (name: string, data: string[] = []) =>
      translateCard({ ...asked, sentence: `Put ${name}'s cart on hold` }, data).sentence;
    for (const name of [
      'Label',
      'Hold the cart',
      'The cart is empty.',
      '$5.50',
      '2 March 2026',
      "Ana's cart on hold",
      'yes',
    ])
      expect(said(name, [name])).toBe(`Korb von ${name} zurückstellen`);
    expect(said('Label'), 'a name that the card does not have besides').toBe('Korb von Label zurückstellen');
    expect(said('\u{f0000}', ['Ana'])).toBe("Put \u{f0000}'s cart on hold");
    const about = [
      { label: 'Label', text: 'Label' },
      { label: 'Paid by', text: 'Label' },
    ];
    expect(
      translateCard({ ...asked, bills: [{ about }] }, [], ['paid by']).bills?.[0]?.about?.map(({ text }) => text),
    ).toEqual(['Label', 'Bezeichnung']);
  });

  it('leaves the name of a record on a bill, also where it is a sentence of the application', () => {
    const about = [
      { label: 'Sent to', text: "Put Bo's cart on hold", argument: '/addressId' },
      { label: 'Why', text: "Put Bo's cart on hold" },
    ];
    const sent = { pointer: '/addressId', label: 'Address', value: 'adr_1', text: 'adr_1' };
    const card = { ...asked, arguments: [sent], bills: [{ about }] } as unknown as ApprovalCard;
    expect(translateCard(card).bills?.[0]?.about?.map(({ text }) => text)).toEqual([
      "Put Bo's cart on hold",
      'Korb von Bo zurückstellen',
    ]);
  });
});

const asked: ApprovalCard = {
  ...{ approval_id: 'a', request_id: 'r', capability: 'cart.hold', side_effect: 'ui-only', expires_at: 1 },
  ...{ title: 'Hold the cart', sentence: "Put Ana's cart on hold", needs: 'a manager', arguments: [] },
};

it('names only the records whose names the application makes', () => {
  const records = [
    { entity: 'thing', id: 'a', name: '$2.00 · $5.50' },
    { entity: 'product', id: 'b', name: 'Label' },
    { entity: 'word', id: 'c', name: 'Label' },
  ];
  const declared = { 'entity.names': ['records.name#thing', 'records.name@word'] };
  const { records: said } = translateAnswer('entity.names', { records }, declared);
  expect(said.map(({ name }) => name)).toEqual(['$2.00 · 5,50\u00a0$', 'Label', 'Bezeichnung']);
});
