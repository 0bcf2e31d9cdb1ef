import { describe, expect, it } from 'vitest';
import { MATCH, matching, matchOf } from './matching';

const order = { title: 'Cancel an order', name: 'order.cancel', description: 'Stops it before it is packed.' };

describe('matchOf', () => {
  it.each([
    ['cancel an order', MATCH.exact],
    ['order.cancel', MATCH.exact],
    ['Cancel a', MATCH.prefix],
    ['order can', MATCH.word],
    ['ncel', MATCH.inside],
    ['nc', MATCH.none], // too short for the middle of a word
    ['cnacel', MATCH.typo], // exchanged
    ['cancl', MATCH.typo], // missing
    ['canncel', MATCH.typo], // too many
    ['concel', MATCH.typo], // another
    ['canc ordr', MATCH.typo],
    ['cxnxel', MATCH.none], // two in a word of six
    ['orf', MATCH.none], // one in a word of three
    ['pack', MATCH.description],
    ['acked', MATCH.none], // no beginning of a word
    ['pakced', MATCH.none], // no errors are forgiven there
    ['cancel customer', MATCH.none],
  ])('%s', (text, match) => expect(matchOf(text, order)).toBe(match));

  it('forgives two errors in a long word, while it is being typed too', () => {
    expect(matchOf('permisions', { title: 'Permissions' })).toBe(MATCH.typo);
    expect(matchOf('premisison', { title: 'Permissions' })).toBe(MATCH.typo);
    expect(matchOf('pxrmxsxions', { title: 'Permissions' })).toBe(MATCH.none);
    expect(matchOf('custmer', { title: 'Customers' })).toBe(MATCH.typo);
  });
  it('knows no accents', () => expect(matchOf('uber', { title: 'Über Deskhand' })).toBe(MATCH.prefix));
});

it('lists beginnings, then words, then middles, then errors, then descriptions', () => {
  const titles = ['Stoke the fire', 'Restock', 'Adjust stock', 'Stock of today', 'Buy'];
  const found = matching(titles, 'stock', (title) => ({ title, description: title === 'Buy' ? 'More stock.' : '' }));
  expect(found).toEqual(['Stock of today', 'Adjust stock', 'Restock', 'Stoke the fire', 'Buy']);
});
