// @vitest-environment jsdom
import { readFileSync } from 'node:fs';
import { MantineProvider } from '@mantine/core';
import { act, cleanup, fireEvent, render, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { ApprovalCard } from '../bridge/approval';
import type { Backend } from '../bridge/backend';
import type { Manifest } from '../bridge/manifest';
import { schemaAt } from '../bridge/schema';
import type { Json, JsonObject } from '../bridge/wire';
import { capabilityOfStep } from '../kit/approvals/cards';
import { cardWithGrant, manifestOfCards, ownCards, type ShownCard } from './fake/cards';

const file = process.env.DESKHAND_CARDS;
const lines = file ? readFileSync(file, 'utf8').trim().split('\n') : [];
const manifest: Manifest = lines[0] ? JSON.parse(lines[0]) : manifestOfCards;
const cards: readonly ShownCard[] = file ? lines.slice(1).map((line) => JSON.parse(line)) : ownCards;

const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{DI}\ufffd]/u;

/** What somebody reads who knows what escapes stand for. */
const plain = (text: string) =>
  text.replaceAll('↵', '\n').replace(/\\u([0-9a-f]{4})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Whether a person reads a text in what is shown: all of it, or the beginning of a very long one and that it goes on. */
function reads(shown: string, text: string): boolean {
  if (plain(shown) === plain(text)) return true;
  const begin = plain(shown.slice(0, -1));
  return shown.endsWith('…') && begin.length >= 20_000 && plain(text).startsWith(begin);
}

const digits = (text: string) => text.replaceAll(/\D/g, '').replace(/^0+/, '');

const isAmount = (value: Json): value is { amount: number; currency: string } =>
  typeof value === 'object' && value !== null && 'amount' in value && 'currency' in value;

describe.each(['en', 'de'] as const)('in the window of language %s', (language) => {
  let said: (text: string) => string;
  let fromGo: typeof import('../language/translateFromGo').translateFromGo;
  let say: typeof import('../bridge/translateAnswers').translateCard;
  let words: typeof import('./domain').shop.vocabulary;
  let beforeOwnNames: readonly string[];
  let emit: (type: string, card: ApprovalCard) => void = () => undefined;
  let waiting: ApprovalCard[] = [];
  let names: ShownCard['names'] = {};
  const decided: string[] = [];
  /** The names that records had, by kind and id: no event tells the page of another one. */
  const called = new Map<string, string[]>();

  const nameOf = (kind: string, id: string) => {
    const ofKind = Object.hasOwn(names, kind) ? (names[kind] ?? {}) : {};
    return Object.hasOwn(ofKind, id) ? ofKind[id] : undefined;
  };
  /** What records of any kind are called whose id this is. */
  const namesOf = (id: string) => Object.keys(names).flatMap((kind) => nameOf(kind, id) ?? []);

  beforeAll(async () => {
    vi.resetModules();
    const { i18n, speak } = await import('../language/i18n');
    await speak(language, { de: () => import('./de.po') });
    said = (text) => i18n._(text);
    ({ translateFromGo: fromGo } = await import('../language/translateFromGo'));
    const { BusProvider } = await import('../queries/BusProvider');
    const { Client } = await import('../bridge/client');
    const { DomainProvider } = await import('../kit/domain');
    const { Approvals } = await import('../kit/approvals/Approvals');
    const { shop } = await import('./domain');
    ({ translateCard: say } = await import('../bridge/translateAnswers'));
    ({ vocabulary: words, beforeOwnNames } = shop);
    const none = async () => '{}';
    const answers: Record<string, (args: JsonObject) => object> = {
      'entity.names': ({ records }) => ({
        records: (records as { entity: string; id: string }[]).flatMap(({ entity, id }) =>
          nameOf(entity, id) === undefined ? [] : [{ entity, id, name: nameOf(entity, id) }],
        ),
      }),
      'settings.get': () => ({ shop: { currency: 'USD' } }),
    };
    const backend: Backend = {
      ...{ cancel: none, send: none, stop: none, pickFile: none, dropFile: none },
      manifest: async (asked) => JSON.stringify(JSON.parse(asked).cards ? { cards: waiting } : manifest),
      invoke: async (asked) => {
        const { capability, arguments: args } = JSON.parse(asked);
        return JSON.stringify({ status: 'success', data: answers[capability]?.(args) ?? {} });
      },
      decide: async (answer) => {
        decided.push(answer);
        return '{}';
      },
      on: (stream, listener) => {
        if (stream === 'approval')
          emit = (type, card) => {
            waiting = type === 'opened' ? [card] : [];
            listener(JSON.stringify({ type, card }));
          };
        return () => undefined;
      },
    };
    render(
      <MantineProvider env="test">
        <BusProvider client={new Client(backend, shop.sentences)}>
          <DomainProvider value={shop}>
            <Approvals Fields={() => null} talking />
          </DomainProvider>
        </BusProvider>
      </MantineProvider>,
    );
    await settled();
  });
  afterAll(cleanup);

  /** Lets the answers come that the page asked for: each takes a turn of the event loop or two. */
  const settled = () =>
    act(async () => {
      for (let turn = 0; turn < 4; turn++) await new Promise((resolve) => setTimeout(resolve));
    });

  async function open(shown: ShownCard): Promise<HTMLElement> {
    names = shown.names;
    for (const [kind, ofKind] of Object.entries(names))
      for (const [id, name] of Object.entries(ofKind))
        called.set(`${kind} ${id}`, [...(called.get(`${kind} ${id}`) ?? []), name]);
    for (const key of ['F8', 'Enter', 'Escape']) fireEvent.keyDown(document.body, { key, shiftKey: key === 'F8' });
    act(() => emit('opened', { ...shown.card, expires_at: Date.now() + 600_000 }));
    expect(decided, 'no answer before it is drawn').toEqual([]);
    await settled();
    const article = document.querySelector('article');
    if (!article) throw new Error('the card is not there');
    return article;
  }

  /** The places that are shown as values, each with what is read there. */
  function shownIn(article: HTMLElement): Map<string, string> {
    const rows = [...article.querySelectorAll<HTMLElement>('[data-pointer]')].map((row) => {
      const step = row.closest<HTMLLIElement>('ol > li');
      const at = step ? `/steps/${step.value - 1}` : '';
      const pointer = row.dataset.pointer ?? '';
      return [at ? `${at}/arguments${pointer}` : pointer, row.querySelector('dd')?.textContent ?? ''] as const;
    });
    expect(new Set(rows.map(([pointer]) => pointer)).size, 'each place once').toBe(rows.length);
    return new Map(rows);
  }

  /** How else an argument may read: as the bill says it, or as the choice that the schema has. */
  const otherwise = (shown: ShownCard, pointer: string, kind: string, value: string): string[] => {
    const { card } = shown;
    const about = card.bills
      ?.flatMap((bill) => bill?.about ?? [])
      .filter(({ argument }) => argument && pointer.endsWith(argument));
    const [, step, inStep] = /^\/steps\/(\d+)\/arguments(\/.+)$/.exec(pointer) ?? [];
    const ofStep = capabilityOfStep(card.arguments, Number(step));
    const entry = manifest.capabilities.find(({ name }) => name === (inStep ? ofStep : card.capability));
    const choices = schemaAt(entry?.input_schema, inStep ?? pointer)?.enum;
    const isChoice = Array.isArray(choices) && choices.includes(value);
    const ofPayment =
      kind === 'paymentMethod' ? (called.get(`${kind} ${value}`) ?? []).map((name) => fromGo(name)) : []; // a brand and digits
    return [
      ...(about ?? []).flatMap(({ text }) => [text, fromGo(text)]),
      ...ofPayment,
      ...(isChoice ? [said(value)] : []),
    ];
  };

  function isRead(shown: ShownCard, pointer: string, text: string): boolean {
    if (unseen.test(text.replaceAll(/(?<!\p{VS})\ufe0f/gu, ''))) return false;
    const { value, kind = '', name } = shown.leaves?.find((leaf) => leaf.pointer === pointer) ?? { value: '' };
    if (isAmount(value)) return digits(text) === digits(String(value.amount));
    if (typeof value === 'boolean') return text === said(value ? 'yes' : 'no');
    if (value === null) return text === said('none');
    if (typeof value !== 'string')
      return reads(text, JSON.stringify(value)) || /e\+|\d{16}/.test(JSON.stringify(value));
    if (value === '') return text === '""';
    const all = [value, ...(called.get(`${kind} ${value}`) ?? []), name ?? value];
    return [...all, ...otherwise(shown, pointer, kind, value)].some((one) => reads(text, one) || isNumbered(text, one));
  }

  /** The name of an order has an amount, which the language writes otherwise. */
  const isNumbered = (text: string, name: string) =>
    / · [^·]+$/.test(name) && letters(plain(text)) === letters(plain(name));
  const letters = (text: string) => text.replace(/(?<= · )[^·]+$/, (amount) => digits(amount));

  it('each card shows what is executed, and nothing else', async () => {
    for (const shown of cards) {
      try {
        await check(shown);
      } catch (wrong) {
        throw new Error(`seed ${shown.seed}, call ${shown.number}: ${shown.card.capability}: ${String(wrong)}`);
      }
    }
  });

  async function check(shown: ShownCard) {
    const article = await open(shown);
    const { capability } = shown.card;
    const read = shownIn(article);
    const all = article.textContent ?? '';
    const { card } = shown;
    for (const { pointer, value } of shown.leaves ?? []) {
      const isOfStep = /^\/steps\/\d+\/(capability|arguments)$/.exec(pointer);
      const said = isOfStep?.[1] === 'capability' || (isOfStep && JSON.stringify(value) === '{}'); // by its sentence
      if (capability === 'agent.requestCapability' || said) {
        if (typeof value === 'string' && pointer === '/reason') expect(plain(all)).toContain(plain(value));
        continue;
      }
      const text = read.get(pointer);
      expect(text !== undefined && isRead(shown, pointer, text), `${pointer} ${JSON.stringify(value)}: ${text}`).toBe(
        true,
      );
      read.delete(pointer);
    }
    expect([...read], 'shown, and not executed').toEqual([]);
    const steps = [...article.querySelectorAll('ol > li')].filter((step) => !step.querySelector('details')); // no run of them
    expect(steps.length).toBe(card.steps?.length ?? 0);
    expect(Object.keys(Object.prototype), 'what every object has').toEqual([]);

    const texts = [card.sentence, ...(card.steps ?? []), ...(card.changed ?? []), card.why ?? ''];
    for (const text of texts)
      for (const name of Object.values(shown.names).flatMap((ofKind) => Object.values(ofKind)))
        expectSameAround(card, text, name, all);
    const sentences = [card.sentence, withNames(card.sentence)];
    if (language === 'en' && !sentences.some((one) => plain(all).includes(plain(one))))
      expect(plain(all)).toContain(plain(card.sentence));
    for (const row of card.effects ?? []) {
      for (const [column, value] of Object.entries({ ...row.before, ...row.after })) {
        if (typeof value !== 'string' || value === '' || column in row.key || words.columns[column] === '') continue;
        if (column === 'id') continue; // of a row within a record, which no person reads
        if (column.endsWith('_fold') || Object.hasOwn(words.words, column) || /^\d{4}-\d\d-\d\d$/.test(value)) continue;
        const kind = words.references[`${row.table}.${column}`] ?? words.references[column] ?? '';
        const known = [value, ...(called.get(`${kind} ${value}`) ?? [])];
        const isThere = known.some((one) => plain(all).includes(plain(one)));
        expect(isThere || column.endsWith('_id'), `${row.table}.${column} ${JSON.stringify(value)}`).toBe(true);
      }
    }
    expect(decided, 'no answer by itself').toEqual([]);
    act(() => emit('closed', card));
    await settled();
  }

  // A bound is what stands in its field, or there is no answer: one that cannot be read is not left out.
  it.each([
    ['1,000.00', 100_000],
    ['1.000,00', 100_000],
    ['12,5', 1250],
    ['', undefined],
    ['1,2,3', 'refused'],
    ['ten', 'refused'],
    ['0x10', 'refused'],
    ['1e3', 'refused'],
    ['12.345,6.7', 'refused'],
    ['-5', -500],
  ] as const)('the bound “%s” of a grant is given as it stands, or not at all', async (typed, bound) => {
    const [card] = [{ ...cardWithGrant, card: { ...cardWithGrant.card, approval_id: `grant ${typed}` } }];
    const article = await open(card);
    const named = (name: string) => within(article).findByRole('button', { name: said(name) });
    fireEvent.click(await named('Allow and don’t ask again for this…'));
    const fields = await within(article).findAllByRole('textbox', { name: said('Each at most') }, { timeout: 20_000 });
    const field = fields[0] as HTMLInputElement;
    await userEvent.setup().type(field, `${typed}{Enter}`);
    fireEvent.click(await named('Allow within these bounds'));
    await settled();
    const grants = decided.splice(0).map((answer) => JSON.parse(answer).grant);
    expect(field.value, 'what stands there').toBe(typed);
    if (bound === 'refused') {
      expect(grants).toEqual([]);
      expect(field.getAttribute('aria-invalid')).toBe('true');
    } else {
      expect(grants[0]?.constraints?.amount?.max?.amount, 'the bound that is given').toBe(bound);
      expect(grants[0]?.limits).toEqual({ uses: 3 });
    }
    act(() => emit('closed', card.card));
    await settled();
  });

  /** A sentence with the names of records in the place of their ids. */
  const withNames = (sentence: string) =>
    sentence.replace(/[\w-]{8,}/g, (word) => (word.includes('_') && namesOf(word)[0]) || word);

  /** A sentence is the same with any other name in the place of one. */
  function expectSameAround(card: ApprovalCard, text: string, name: string, all: string) {
    if (!name || text.split(name).length !== 2 || !/\p{L}/u.test(name)) return;
    const at = text.indexOf(name);
    if (/\p{L}$/u.test(text.slice(0, at)) || /^\p{L}/u.test(text.slice(at + name.length))) return; // in a longer word
    const written = card.arguments.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
    const of = (one: string) => {
      const texts = [one, ...written.map((value) => value.replace(name, () => one))];
      return say({ ...card, sentence: text.replace(name, () => one) }, texts, beforeOwnNames).sentence;
    };
    const neutral = text.replace(name, 'Xqzv');
    const other = of('Xqzv');
    if (other === neutral) return; // its words are those of the name
    expect(of(name)).toBe(other.replace('Xqzv', () => name));
    const isAbout = Object.values(card.facts ?? {}).concat(card.arguments.map(({ value }) => value));
    if (said(name) !== name && !isAbout.some((id) => namesOf(String(id)).includes(name))) return; // a word of the sentence
    expect(plain(all)).toContain(plain(name));
  }
});
