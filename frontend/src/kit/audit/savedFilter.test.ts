import { describe, expect, it } from 'vitest';
import { setTimeZone } from '../../language/dates';
import { chosenBy, type Filters } from './filters';
import { filtersOf } from './savedFilter';

describe('filtersOf', () => {
  it.each<[string, Filters]>([
    ['nothing', {}],
    ['a success', { outcome: 'success', caller: 'agent' }],
    ['a failure', { outcome: 'CONFLICT', risk: 'destructive', capability: 'order.cancel' }],
    ['whole days', { from: '2026-10-24', until: '2026-10-25', person: 'june_park', conversation: 'chat_1' }],
    ['a record', { subject: 'cus_1' }],
    ['finished words', { text: 'ana "set up"' }],
  ])('gives back %s', (_, filters) => expect(filtersOf(chosenBy(filters))).toEqual(filters));

  it('has the days of a filter that was saved as moments, where the application is', () => {
    setTimeZone('Pacific/Auckland');
    const since = Date.UTC(2026, 10, 19, 11); // midnight there
    expect(filtersOf({ since, until: since + 86_400_000 })).toEqual({ from: '2026-11-20', until: '2026-11-20' });
    setTimeZone(undefined);
  });
  it('gives an unfinished word as the beginning that was asked for', () =>
    expect(filtersOf(chosenBy({ text: 'guj' }))).toEqual({ text: 'guj*' }));
});
