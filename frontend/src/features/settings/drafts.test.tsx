// @vitest-environment jsdom
import { act, screen, waitFor } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';
import { FakeBackend } from '../../shop/fake/backend';
import { usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { Budget } from './assistant/Budget';
import { Model } from './assistant/Model';
import { Mail } from './outside/Mail';
import { Limits } from './shop/Limits';
import { Shipping } from './shop/Shipping';
import { Shop } from './shop/Shop';
import { Tax } from './shop/Tax';
import { Staff } from './staff/Staff';

interface SectionCase {
  part: ReactNode;
  /** The saved values, and what another window makes of them while somebody types. */
  known: object;
  later: object;
  /** The field that is typed into, what there is already, and what is typed after it. */
  field: string;
  typed: string;
  shown: string;
  /** A field nobody touched, and what it shows afterwards. */
  other: string;
  followed: string;
  sends: object;
}

const shop = { name: 'Alder', address: '1 First St', phone: '', email: '', taxNumber: '', footer: '', country: 'US' };
const mail = { host: 'smtp.example.com', port: 587, from: 'a@example.com', encryption: 'starttls', passwordSet: false };
const model = { endpoint: 'https://models.example.com/v1', model: 'qwen3', context: 8000 };

const cases: Record<string, SectionCase> = {
  shop: {
    part: <Shop />,
    known: { ...shop, currency: 'USD', timeZone: 'UTC', locale: 'en', pricesIncludeTax: false },
    later: { ...shop, phone: '555', currency: 'USD', timeZone: 'UTC', locale: 'en', pricesIncludeTax: true },
    ...{ field: 'Address', typed: ', Salem', shown: '1 First St, Salem', other: 'Phone', followed: '555' },
    sends: { address: '1 First St, Salem' },
  },
  'shop: the smallest coin': {
    part: <Shop />,
    known: { ...shop, currency: 'USD', timeZone: 'UTC', locale: 'en', pricesIncludeTax: false, cashStep: usd(5) },
    later: {
      ...shop,
      phone: '5',
      currency: 'USD',
      timeZone: 'UTC',
      locale: 'en',
      pricesIncludeTax: true,
      cashStep: usd(5),
    },
    ...{ field: 'The smallest coin', typed: '{Backspace}{Backspace}10', shown: '0.10', other: 'Phone', followed: '5' },
    sends: { cashStep: { amount: 10, currency: 'USD' } },
  },
  mail: {
    part: <Mail />,
    known: mail,
    later: { ...mail, port: 465, encryption: 'tls' },
    ...{ field: 'Server', typed: '.au', shown: 'smtp.example.com.au', other: 'Port', followed: '465' },
    sends: { host: 'smtp.example.com.au' },
  },
  'limits: a refund': {
    part: <Limits />,
    known: { discountPercent: 10, refund: usd(5000) },
    later: { discountPercent: 20, refund: usd(5000) },
    ...{ field: 'Refund at once', typed: '{Backspace}5', shown: '50.05' },
    ...{ other: 'Discount, in percent', followed: '20', sends: { refund: { amount: 5005, currency: 'USD' } } },
  },
  limits: {
    part: <Limits />,
    known: { discountPercent: 10, refund: usd(5000) },
    later: { discountPercent: 10, refund: usd(7000) },
    ...{ field: 'Discount, in percent', typed: '{Backspace}5', shown: '15' },
    ...{ other: 'Refund at once', followed: '70.00', sends: { discountPercent: 15 } },
  },
  model: {
    part: <Model />,
    known: { ...model, keySet: false },
    later: { ...model, context: 16000, keySet: false },
    ...{
      field: 'Address',
      typed: '/x',
      shown: 'https://models.example.com/v1/x',
      other: 'Tokens it reads at once',
      followed: '16000',
    },
    sends: { endpoint: 'https://models.example.com/v1/x', model: 'qwen3', context: 16000 },
  },
};

describe.each(Object.entries(cases))('the settings of %s', (name, one) => {
  const [section = ''] = name.split(':');
  const opened = async () => {
    const backend = new FakeBackend();
    const saved: object[] = [];
    let now = one.known;
    backend.replace('settings.get', () => ({ secrets: 'keychain', [section]: now }));
    backend.replace('settings.set', ({ args, changed }) => {
      saved.push(args.values as object);
      now = { ...now, ...(args.values as object) };
      changed('settings');
      return {};
    });
    const { user } = show(backend, one.part);
    const elsewhere = (values: object) =>
      act(async () => {
        now = values;
        backend.emit('bus', { type: 'stateChange', domain: 'settings', ids: [] });
      });
    return { user, saved, elsewhere };
  };
  const value = (name: string) => (screen.getByRole('textbox', { name }) as HTMLInputElement).value;
  const typeAtEnd = async (user: UserEvent, name: string, text: string) => {
    const field = (await screen.findByRole('textbox', { name })) as HTMLInputElement;
    await user.type(field, text, { initialSelectionStart: field.value.length });
  };

  it('keep what is half typed when another window changes them, follow in the other fields, and save only what was typed', async () => {
    const { user, saved, elsewhere } = await opened();
    await typeAtEnd(user, one.field, one.typed);
    await elsewhere(one.later);
    await waitFor(() => expect(value(one.other)).toBe(one.followed));
    expect(value(one.field)).toBe(one.shown);
    expect(document.activeElement, 'the hand stays where it is').toBe(screen.getByRole('textbox', { name: one.field }));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved.');
    expect(saved).toEqual([one.sends]);
  });

  it('follow again once they were saved', async () => {
    const { user, elsewhere } = await opened();
    await typeAtEnd(user, one.field, one.typed);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved.');
    await elsewhere(one.known);
    await waitFor(() => expect(value(one.field)).not.toBe(one.shown));
  });
});

describe('the tax classes', () => {
  it('keep what is typed, added and left out when another window changes them, and follow otherwise', async () => {
    const backend = new FakeBackend();
    const saved: object[] = [];
    const [full, low, none] = [
      { id: 'full', name: 'Full', ratePpm: 190_000 },
      { id: 'low', name: 'Low', ratePpm: 70_000 },
      { id: 'none', name: 'None', ratePpm: 0 },
    ];
    let tax: object[] = [full, low, none];
    backend.replace('settings.get', () => ({ secrets: 'keychain', tax }));
    backend.replace('settings.set', ({ args, changed }) => {
      saved.push(args.values as object);
      tax = (args.values as { classes: object[] }).classes;
      changed('settings');
      return {};
    });
    const { user } = show(backend, <Tax />);
    const field = (name: string, at: number) => screen.getAllByRole<HTMLInputElement>('textbox', { name })[at];
    await screen.findAllByRole('textbox', { name: 'Name' });
    const typed = field('Name', 0) as HTMLInputElement;
    await user.click(screen.getByRole('button', { name: 'Leave None out' }));
    await user.click(screen.getByRole('button', { name: 'One more' }));
    await user.type(field('Name', 2) as HTMLInputElement, 'Books');
    await user.type(field('Percent', 2) as HTMLInputElement, '5');
    await user.type(typed, ' rate', { initialSelectionStart: 4 });
    tax = [{ ...full, ratePpm: 200_000 }, none, { id: 'new', name: 'New', ratePpm: 10_000 }];
    await act(async () => backend.emit('bus', { type: 'stateChange', domain: 'settings', ids: [] }));
    await waitFor(() => expect(field('Percent', 0)?.value).toBe('20'));
    const names = () => screen.getAllByRole<HTMLInputElement>('textbox', { name: 'Name' }).map(({ value }) => value);
    expect(names()).toEqual(['Full rate', 'New', 'Books']);
    expect(document.activeElement, 'the hand stays where it is').toBe(typed);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await screen.findByText('Saved.');
    expect(saved).toEqual([
      {
        classes: [
          { id: 'full', name: 'Full rate', ratePpm: 200_000 },
          { id: 'new', name: 'New', ratePpm: 10_000 },
          { id: 'books', name: 'Books', ratePpm: 50_000 },
        ],
      },
    ]);
    expect(names(), 'what was added is there once').toEqual(['Full rate', 'New', 'Books']);
  });
});

describe('the shipping methods', () => {
  it('have their tax by key: as the goods, none or a class', async () => {
    const backend = new FakeBackend();
    const saved: object[] = [];
    const shipping = ['', 'none', 'low'].map((taxClassId, i) => ({
      ...{ id: `m${i}`, name: `M${i}`, price: usd(100 * i), days: i },
      ...(taxClassId && { taxClassId }),
    }));
    const tax = [
      { id: 'low', name: 'Low', ratePpm: 70_000 },
      { id: 'none', name: 'Not taxed', ratePpm: 0 },
    ];
    backend.replace('settings.get', () => ({ secrets: 'keychain', shipping, tax, shop: { ...shop, currency: 'USD' } }));
    backend.replace('settings.set', ({ args }) => {
      saved.push(args.values as object);
      return {};
    });
    const { user } = show(backend, <Shipping />);
    const field = (at: number) => screen.getAllByRole<HTMLInputElement>('combobox', { name: 'Tax' })[at];
    await waitFor(() => expect([0, 1, 2].map((at) => field(at)?.value)).toEqual(['As the goods', 'No tax', 'Low']));
    act(() => field(0)?.focus());
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{Enter}');
    act(() => field(2)?.focus());
    await user.keyboard('{ArrowDown}{ArrowUp}{ArrowUp}{Enter}');
    expect([0, 1, 2].map((at) => field(at)?.value)).toEqual(['Low', 'No tax', 'As the goods']);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    const price = (amount: number) => ({ price: { amount, currency: 'USD' } });
    expect(saved).toEqual([
      {
        methods: [
          { id: 'm0', name: 'M0', ...price(0), days: 0, taxClassId: 'low' },
          { id: 'm1', name: 'M1', ...price(100), days: 1, taxClassId: 'none' },
          { id: 'm2', name: 'M2', ...price(200), days: 2 },
        ],
      },
    ]);
  });
});

describe('the budget of the assistant', () => {
  it('keeps what is half typed when another window changes it, and follows in the other field', async () => {
    const backend = new FakeBackend();
    const saved: object[] = [];
    let budget: object = { tokens: 1000, amount: usd(500) };
    backend.replace('assistant.usage', () => ({ budget, today: {} }));
    backend.replace('assistant.setBudget', ({ args }) => {
      saved.push(args);
      return {};
    });
    const { user } = show(backend, <Budget />);
    const tokens = (await screen.findByRole('textbox', { name: /^Tokens/ })) as HTMLInputElement;
    await user.type(tokens, '5', { initialSelectionStart: tokens.value.length });
    await act(async () => {
      budget = { tokens: 1000, amount: usd(700) };
      backend.emit('bus', { type: 'stateChange', domain: 'assistant', ids: [] });
    });
    const money = screen.getByRole('textbox', { name: /^Money/ }) as HTMLInputElement;
    await waitFor(() => expect(money.value).toBe('7.00'));
    expect(tokens.value).toBe('10005');
    expect(document.activeElement).toBe(tokens);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ tokens: 10005, amount: { amount: 700, currency: 'USD' } }]));
  });
});

describe('a person of the staff', () => {
  it('keeps a half typed name when another window changes the rest, and does not put that back', async () => {
    const backend = new FakeBackend();
    const saved: object[] = [];
    let withoutPin = false;
    backend.replace('staff.list', () => ({
      staff: [{ id: 'ana', name: 'Ana', role: 'clerk', hasPin: true, withoutPin }],
    }));
    backend.replace('staff.save', ({ args }) => {
      saved.push(args);
      return { id: 'ana' };
    });
    const { user } = show(backend, <Staff />);
    await user.click(await screen.findByRole('button', { name: 'Change Ana' }));
    const field = (await screen.findByRole('textbox', { name: /^Name/ })) as HTMLInputElement;
    await user.type(field, ' Lind', { initialSelectionStart: field.value.length });
    await act(async () => {
      withoutPin = true;
      backend.emit('bus', { type: 'stateChange', domain: 'staff', ids: [] });
    });
    await waitFor(() => expect(screen.getByRole<HTMLInputElement>('checkbox').checked).toBe(true));
    expect(field.value).toBe('Ana Lind');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(saved).toEqual([{ staffId: 'ana', name: 'Ana Lind', role: 'clerk', withoutPin: true }]));
  });
});
