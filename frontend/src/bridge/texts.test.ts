import { afterAll, beforeAll, expect, it } from 'vitest';
import { i18n } from '../language/i18n';
import { BusError } from './error';
import { inLanguage, type Texts } from './texts';

beforeAll(() => {
  i18n.load('de', {
    'A filter was deleted.': 'Ein Filter wurde gelöscht.',
    "{0}'s cart": 'Warenkorb von {0}',
    '{0} is empty.': '{0} ist leer.',
    'Correct {0} and try again.': 'Korrigieren Sie {0}.',
  });
  i18n.activate('de');
});
afterAll(() => i18n.activate('en'));

const texts: Texts = {
  '/data/notes/0': { key: '{0} is empty.', values: [{ key: "{0}'s cart", values: ['A filter was deleted.'] }] },
  '/data/a~1b/why': { key: 'A filter was deleted.' },
};

it('renders the sentences that a document has, and nothing else', () => {
  const document = {
    data: {
      name: 'A filter was deleted.',
      notes: ["A filter was deleted.'s cart is empty.", 'A filter was deleted.'],
      'a/b': { why: 'A filter was deleted.' },
    },
    texts,
  };
  expect(inLanguage(document)).toEqual({
    data: {
      name: 'A filter was deleted.',
      notes: ['Warenkorb von A filter was deleted. ist leer.', 'A filter was deleted.'],
      'a/b': { why: 'Ein Filter wurde gelöscht.' },
    },
    texts,
  });
  expect(document.data.notes[0]).toBe("A filter was deleted.'s cart is empty.");
});

it('touches nothing that is no text, and no prototype', () => {
  const sentence = { key: 'A filter was deleted.' };
  const document = { list: [1], texts: { '/list/0': sentence, '/list/7': sentence, '/__proto__/polluted': sentence } };
  expect(inLanguage(document)).toEqual(document);
  expect(({} as { polluted?: string }).polluted).toBeUndefined();
});

it('says a failure and its mistakes by key and values, and an unkeyed one in English', () => {
  const failure = { code: 'VALIDATION', retryable: false, message: 'Ana is empty.', recovery_hint: '' } as const;
  const violations = [{ path: '/name', message: 'Ana is empty.' }];
  const keyed = { key: '{0} is empty.', values: ['Ana'] };
  const said = new BusError({ ...failure, violations, texts: { '/message': keyed, '/violations/0/message': keyed } });
  expect(said.message).toBe('Ana ist leer.');
  expect(said.fieldErrors.map(({ sentence }) => sentence)).toEqual(['Ana ist leer.']);
  expect(new BusError({ ...failure, message: 'A filter was deleted.' }).message).toBe('A filter was deleted.');
});
