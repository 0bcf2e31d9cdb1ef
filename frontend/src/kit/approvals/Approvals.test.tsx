// @vitest-environment jsdom
import { MantineProvider } from '@mantine/core';
import { act, cleanup, createEvent, fireEvent, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ApprovalCard, DecisionRequest } from '../../bridge/approval';
import { buffered } from '../../bridge/buffer';
import { Client } from '../../bridge/client';
import type { BusEvent } from '../../bridge/wire';
import { BusProvider } from '../../queries/BusProvider';
import { FakeBackend } from '../../shop/fake/backend';
import { DomainProvider, noDomain } from '../domain';
import { Approvals } from './Approvals';

const card: ApprovalCard = {
  ...{
    approval_id: 'a1',
    request_id: 'r1',
    conversation_id: 'c1',
    capability: 'checkout.submit',
    title: 'Submit the order',
  },
  side_effect: 'destructive',
  sentence: 'Submit order for Ana Ruiz: $47.83',
  arguments: [
    { pointer: '/shippingAddressId', label: 'Address', value: 'adr_1', text: '123 Main St (Home)', origin: 'said' },
    { pointer: '/paymentMethodId', label: 'Payment method', value: 'pm_1', text: 'Visa ending 4242', origin: 'guess' },
  ],
  facts: { amount: { amount: 4783, currency: 'USD' } },
  effects: [{ table: 'orders', key: { id: '#W1' }, op: 'insert', after: { total: 4783, address_id: 'adr_1' } }],
  changed: ['Amount was $40.00 and is now $47.83.'],
  expires_at: Date.now() + 60_000,
};

const NoFields = () => null;

const domain = {
  ...noDomain,
  vocabulary: {
    ...noDomain.vocabulary,
    tables: { payments: 'Payments', orders: 'Orders' },
    units: { total: 'money', amount: 'money' } as const,
  },
  roleText: (role: string) => role.charAt(0).toUpperCase() + role.slice(1),
};

/** Shows the region with one card open; the answer comes as a promise. */
async function withCard(before = '', asked = card, backend = new FakeBackend(), talking = false) {
  const { container } = render(
    <MantineProvider env="test">
      <BusProvider client={new Client(backend)}>
        <input aria-label="Elsewhere" defaultValue={before} />
        <DomainProvider value={domain}>
          <Approvals Fields={NoFields} talking={talking} />
        </DomainProvider>
      </BusProvider>
    </MantineProvider>,
  );
  if (before) screen.getByLabelText('Elsewhere').focus();
  let answer: Promise<DecisionRequest> | undefined;
  act(() => {
    answer = backend.ask(asked);
  });
  await screen.findByRole('article', { name: asked.sentence });
  return { answer: answer as Promise<DecisionRequest>, user: userEvent.setup(), container };
}

afterEach(() => {
  fireEvent.pointerDown(document.body); // an Enter of one test is not the first press of the next
  cleanup();
});

describe('Approvals', () => {
  it('shows nothing when nothing waits', async () => {
    const { answer, user } = await withCard();
    await user.click(screen.getByRole('button', { name: 'Deny' }));
    await answer;
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Waiting for your answer' })).toBeNull());
  });

  it('does not take the second press of an Enter that opened it', async () => {
    const first = createEvent.keyDown(document.body, { key: 'Enter' });
    fireEvent(document.body, first);
    await withCard();
    const deny = screen.getByRole('button', { name: 'Deny' });
    expect(document.activeElement).toBe(deny);
    const pressed = (later: number) => {
      const press = createEvent.keyDown(deny, { key: 'Enter' });
      Object.defineProperty(press, 'timeStamp', { value: first.timeStamp + later });
      return fireEvent(deny, press);
    };
    expect(pressed(699), 'the second press').toBe(false);
    expect(pressed(1400), 'one that is meant for it').toBe(true);
  });

  it('shows every value with where it came from, names for ids, and what changed', async () => {
    await withCard();
    const article = screen.getByRole('article', { name: card.sentence });
    await waitFor(() => expect(article.textContent).not.toContain('adr_1')); // once the manifest is there
    const text = article.textContent ?? '';
    expect(text).toContain('123 Main St (Home)you said it');
    expect(text).toContain('Visa ending 4242assistant’s guess');
    expect(text).toContain('Total$47.83');
    expect(text).toContain('Address123 Main St (Home)');
    expect(text).toContain('Amount was $40.00 and is now $47.83.');
  });

  describe('with a bill', () => {
    const bill = {
      lines: [{ quantity: 2, text: 'Guji Natural', each: '$21.44', amount: '$42.88' }],
      sums: [
        { label: 'Shipping', text: '$4.95' },
        { label: 'Total', text: '$47.83' },
      ],
      about: [
        { label: 'Sent to', text: '123 Main St (Home)', argument: '/shippingAddressId' },
        { label: 'Customer', text: 'Ana Ruiz' },
      ],
      follows: ['the order is placed', 'stock falls by 2'],
    };
    const bookkeeping = {
      table: 'orders',
      key: { id: '#W2' },
      op: 'update',
      before: { x_fold: 'a' },
      after: { x_fold: 'b' },
    };
    const paid = { table: 'payments', key: { id: 'p1' }, op: 'insert', after: { amount: 4783 } };
    const billed = { ...card, bills: [bill], effects: [bookkeeping, ...(card.effects ?? []), paid] } as ApprovalCard;

    it('shows lines, sums, and what follows; a value it shows has its origin there, all others stay', async () => {
      await withCard('', billed);
      const article = screen.getByRole('article', { name: card.sentence });
      await waitFor(() => expect(article.textContent).not.toContain('adr_1'));
      const text = article.textContent ?? '';
      expect(screen.getByRole('table', { name: 'What it comes to' }).textContent).toBe(
        'What it comes to2 ×Guji Natural $21.44 each$42.88Shipping$4.95Total$47.83',
      );
      expect(text).toContain('Sent to123 Main St (Home)you said itCustomerAna Ruiz');
      expect(text).toContain('Then: the order is placed, stock falls by 2');
      expect(text).toContain('Payment methodVisa ending 4242assistant’s guess');
      expect(text.match(/123 Main St/g)).toHaveLength(2); // and in the fold
    });

    it('has the changed rows one fold away, what weighs most first, without bookkeeping', async () => {
      const { user } = await withCard('', billed);
      const fold = screen.getByText('All 3 changed rows');
      const rows = () => screen.queryAllByRole('listitem').map((row) => row.textContent);
      expect(fold.closest('details')?.open).toBe(false);
      await user.click(fold);
      expect(fold.closest('details')?.open).toBe(true);
      expect(rows()).toEqual([
        expect.stringContaining('Payments'),
        expect.stringContaining('Total$47.83'),
        expect.stringMatching(/^Orderschanged#W2$/),
      ]);
    });

    it('leaves the rows in sight where a step of a plan has no bill', async () => {
      const steps = ['Submit', 'Add a note'];
      await withCard('', { ...billed, steps, bills: [bill, null], arguments: [] });
      expect(screen.getByRole('heading', { name: 'What it changes' })).not.toBeNull();
      expect(screen.getByRole('table', { name: 'What it comes to' }).closest('li')?.textContent).toMatch(/^Submit/);
    });
  });

  it('puts the focus on Deny, and Enter denies', async () => {
    const { answer, user } = await withCard();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Deny' }));
    await user.keyboard('{Enter}');
    expect(await answer).toEqual({ approval_id: 'a1', answer: 'deny' });
  });

  it('leaves the focus with what is being typed elsewhere', async () => {
    await withCard('half a sentence');
    expect(document.activeElement).toBe(screen.getByLabelText('Elsewhere'));
  });

  it('is announced again when it is about to expire', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    try {
      await withCard('', { ...card, expires_at: Date.now() + 90_000 });
      const announced = () => screen.getAllByRole('alert').map(({ textContent }) => textContent);
      expect(announced()).not.toContain('This question expires within a minute.');
      act(() => vi.advanceTimersByTime(31_000));
      expect(announced()).toContain('This question expires within a minute.');
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives more time by another card, before it expires', async () => {
    const { answer, user } = await withCard('', { ...card, expires_at: Date.now() + 50_000 });
    await user.click(screen.getByRole('button', { name: 'More time' }));
    expect(await answer).toEqual({ approval_id: 'a1', answer: 'again' });
  });

  it('denies on Escape', async () => {
    const { answer, user } = await withCard();
    await user.keyboard('{Escape}');
    expect(await answer).toMatchObject({ answer: 'deny' });
  });

  describe('by Shift and F8', () => {
    const shiftF8 = '{Shift>}{F8}{/Shift}';
    const asked = () => screen.queryAllByRole('article').length;

    it('is allowed when it has the focus', async () => {
      const { answer, user } = await withCard();
      expect(document.activeElement?.textContent).toBe('Deny');
      await user.keyboard(shiftF8);
      expect(await answer).toMatchObject({ answer: 'allow' });
    });

    it('is led to when a person types elsewhere, and allowed from there', async () => {
      const { answer, user } = await withCard('milk');
      await user.keyboard(shiftF8);
      expect(document.activeElement?.textContent).toBe('Deny');
      expect(asked()).toBe(1);
      await user.keyboard(shiftF8);
      expect(await answer).toMatchObject({ answer: 'allow' });
    });

    it('is allowed beside the open conversation when it is the only one', async () => {
      const backend = new FakeBackend();
      const { answer, user } = await withCard('milk', card, backend, true);
      act(() => backend.emit('approval', { type: 'opened', card: { ...card, approval_id: 'a2', request_id: 'r2' } }));
      await user.keyboard(shiftF8);
      expect(asked(), 'of two none is meant').toBe(2);
      act(() => backend.emit('approval', { type: 'closed', card: { ...card, approval_id: 'a2' }, answer: 'deny' }));
      screen.getByLabelText('Elsewhere').focus();
      await user.keyboard(shiftF8);
      expect(await answer).toMatchObject({ answer: 'allow' });
    });

    it('is allowed by no key that is held, and by no Enter', async () => {
      const { answer, user } = await withCard('milk');
      await user.keyboard('{Shift>}{F8>3/}{/Shift}');
      expect(asked()).toBe(1);
      await user.keyboard('{Shift>}{Enter}{/Shift}');
      expect(await answer).toMatchObject({ answer: 'deny' });
    });
  });

  it('passes on why', async () => {
    const { answer, user } = await withCard();
    await user.type(screen.getByRole('textbox', { name: 'Reason for denying' }), 'wrong address{Enter}');
    expect(await answer).toMatchObject({ answer: 'deny', reason: 'wrong address' });
  });

  it('shows a card that was told before the page was drawn, and once when it is told again', async () => {
    const backend = new FakeBackend();
    const told = { type: 'opened', card } as const;
    const on = buffered(['approval'], (stream, listener) => backend.on(stream, listener));
    const methods = new Proxy(backend, { get: (at, name) => (name === 'on' ? on : Reflect.get(at, name).bind(at)) });
    backend.emit('approval', told);
    render(
      <MantineProvider env="test">
        <BusProvider client={new Client(methods)}>
          <DomainProvider value={domain}>
            <Approvals Fields={NoFields} />
          </DomainProvider>
        </BusProvider>
      </MantineProvider>,
    );
    await screen.findByRole('article', { name: card.sentence });
    act(() => backend.emit('approval', told));
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  describe('cards that the application has', () => {
    const inside = (backend: FakeBackend) => {
      const client = new Client(backend);
      return (part: ReactNode) => (
        <MantineProvider env="test">
          <BusProvider client={client}>
            <DomainProvider value={domain}>{part}</DomainProvider>
          </BusProvider>
        </MantineProvider>
      );
    };
    const approvals = <Approvals Fields={NoFields} />;
    const shown = () => screen.queryAllByRole('article').map((one) => one.getAttribute('aria-label'));
    const session = (backend: FakeBackend) =>
      act(async () => backend.emit('bus', { type: 'stateChange', domain: 'session', ids: [] }));

    it('are shown though they opened before the page, and again when the page is drawn anew', async () => {
      const backend = new FakeBackend();
      void backend.ask(card);
      const { rerender } = render(inside(backend)(approvals));
      await screen.findByRole('article', { name: card.sentence });
      const put = inside(backend);
      rerender(put(null));
      expect(shown()).toEqual([]);
      void backend.ask({ ...card, approval_id: 'a2', request_id: 'r2', sentence: 'Opened meanwhile' });
      rerender(put(approvals));
      await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(2));
      expect(screen.getByRole('article', { name: 'Opened meanwhile' })).toBeTruthy();
    });

    it('survive a second sign-in, and those of another person are gone', async () => {
      const backend = new FakeBackend();
      void backend.ask(card);
      render(inside(backend)(approvals));
      await screen.findByRole('article', { name: card.sentence });
      await session(backend);
      await screen.findByRole('article', { name: card.sentence });
      backend.cards = [{ ...card, approval_id: 'a9', request_id: 'r9', sentence: 'Of another' }];
      await session(backend);
      await screen.findByRole('article', { name: 'Of another' });
      expect(screen.getAllByRole('article')).toHaveLength(1);
    });

    it('are read again where events were missed: what has closed is gone, what has opened is there', async () => {
      const backend = new FakeBackend();
      void backend.ask(card);
      render(inside(backend)(approvals));
      await screen.findByRole('article', { name: card.sentence });
      backend.cards = [{ ...card, approval_id: 'a3', request_id: 'r3', sentence: 'Missed' }];
      await act(async () => backend.emit('bus', { type: 'missed' } as BusEvent));
      await screen.findByRole('article', { name: 'Missed' });
      expect(screen.getAllByRole('article')).toHaveLength(1);
    });

    it('do not come back by an answer that is older than their end', async () => {
      const backend = new FakeBackend();
      let answer = (_: string) => {};
      const manifest = backend.manifest.bind(backend);
      const late = new Promise<string>((resolve) => {
        answer = resolve;
      });
      backend.manifest = (json) => (JSON.parse(json).cards ? late : manifest(json));
      render(inside(backend)(approvals));
      act(() => backend.emit('approval', { type: 'opened', card }));
      act(() => backend.emit('approval', { type: 'closed', card, answer: 'deny' }));
      await act(async () => answer(JSON.stringify({ cards: [card] })));
      expect(shown()).toEqual([]);
    });
  });

  it('shows one card of a request that is asked anew, though the end of the first is told later', async () => {
    const backend = new FakeBackend();
    await withCard('', card, backend);
    act(() => backend.emit('approval', { type: 'opened', card: { ...card, approval_id: 'a2', sentence: 'Again' } }));
    const again = await screen.findByRole('article', { name: 'Again' });
    expect(screen.getAllByRole('article')).toEqual([again]);
    act(() => backend.emit('approval', { type: 'closed', card, answer: 'edit' }));
    expect(screen.getAllByRole('article')).toHaveLength(1);
  });

  it('allows only what was shown', async () => {
    const { answer, user } = await withCard();
    await user.click(screen.getByRole('button', { name: 'Allow once' }));
    expect(await answer).toEqual({ approval_id: 'a1', answer: 'allow' });
  });

  describe('when it takes somebody else', () => {
    const own: ApprovalCard = {
      ...card,
      conversation_id: undefined,
      needs: 'a manager',
      approvers: [
        { id: 'lee', name: 'Lee Wong', role: 'manager' },
        { id: 'mara', name: 'Mara Lindqvist', role: 'owner' },
      ],
    };
    const approve = () => screen.getByRole('button', { name: /^Approve once/ });

    it('asks who approves, and for the PIN of that person', async () => {
      const { answer, user } = await withCard('', own);
      screen.getByText('Needs a manager: who approves?');
      expect(screen.queryByRole('button', { name: 'Allow once' })).toBeNull();
      expect(approve().getAttribute('aria-disabled')).toBe('true');
      await user.click(screen.getByRole('radio', { name: 'Mara Lindqvist, Owner' }));
      await user.type(screen.getByLabelText('PIN of Mara Lindqvist'), '4711{Enter}');
      expect(await answer).toEqual({ approval_id: 'a1', answer: 'allow', approver: 'mara', pin: '4711' });
    });

    it('stays when the PIN is wrong, with the field empty again', async () => {
      const backend = new FakeBackend();
      const wrong = { code: 'FORBIDDEN', message: 'That is not the PIN of Lee Wong.' };
      backend.decide = async () => JSON.stringify({ error: wrong });
      const { user } = await withCard('', own, backend);
      await user.click(screen.getByRole('radio', { name: 'Lee Wong, Manager' }));
      await user.type(screen.getByLabelText('PIN of Lee Wong'), '0000{Enter}');
      await screen.findByText(wrong.message);
      expect((screen.getByLabelText('PIN of Lee Wong') as HTMLInputElement).value).toBe('');
    });

    it('is left by Escape, before any dialog below hears of it', async () => {
      const { answer, user } = await withCard('', own);
      await user.keyboard('{Escape}');
      expect(await answer).toMatchObject({ answer: 'deny' });
    });
  });
});
