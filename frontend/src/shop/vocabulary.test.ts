import { expect, it } from 'vitest';
import { messages as kitWords } from '../language/de.po';
import { humanize } from '../language/format';
import { i18n } from '../language/i18n';
import { own } from '../language/own';
import { messages as shopWords } from './de.po';
import { columns } from './rows.gen';
import { fulfilmentText, vocabulary } from './vocabulary';

it.each([
  ['pickUp', 'pending', 'To be picked up'],
  ['pickUp', 'processed', 'To be picked up'],
  ['pickUp', 'delivered', 'Picked up'],
  ['pickUp', 'cancelled', 'Not handed over'],
  ['deliver', 'processed', 'To be delivered'],
  ['deliver', 'delivered', 'Delivered'],
  ['takeAway', 'delivered', 'Taken along'],
] as const)('%s, %s: %s', (fulfilment, status, text) => expect(fulfilmentText({ fulfilment, status })).toBe(text));

/** Words that German has too. */
const same = ['Barcode', 'Id', 'Name', 'Region', 'Status', 'Text'];

it('has a German word for each column of the shop that a card may show', () => {
  const shown = columns.filter((column) => own(vocabulary.columns, column) === undefined && !column.endsWith('_fold'));
  const english = shown.map(humanize);
  i18n.loadAndActivate({ locale: 'de', messages: { ...kitWords, ...shopWords } });
  const open = english.filter((word, at) => humanize(shown[at] ?? '') === word && !same.includes(word));
  expect(open).toEqual([]);
});
