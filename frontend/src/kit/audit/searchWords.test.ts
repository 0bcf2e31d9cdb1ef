import { describe, expect, it } from 'vitest';
import { pieces, searchText, wanted } from './searchWords';

describe('searchText', () => {
  it.each([
    ['nothing typed', '  ', undefined],
    ['the last word as a beginning', 'ana guj', 'ana guj*'],
    ['a single letter as it is', 'ana g', 'ana g'],
    ['a finished word as it is', 'guji ', 'guji'],
    ['a beginning once', 'guj*', 'guj*'],
    ['words in quotes as they are', '"set up"', '"set up"'],
    ['an open quote as it is', 'ana "set up', 'ana "set up'],
  ])('asks for %s', (_, typed, asked) => expect(searchText(typed)).toBe(asked));
});

describe('pieces', () => {
  const found = (text: string, search: string) =>
    pieces(text, wanted(search)).flatMap((piece) => (piece.found ? [piece.text] : []));

  it('marks a beginning as the whole word', () => expect(found('Add 2 × Guji', 'guj*')).toEqual(['Guji']));
  it('marks whole words only', () => expect(found('Add Guji, guj', 'guj')).toEqual(['guj']));
  it('minds neither case nor accents', () => expect(found('Café de Ana', 'cafe ANA')).toEqual(['Café', 'Ana']));
  it('marks what stands in quotes', () => expect(found('Set up the shop', '"set up"')).toEqual(['Set', 'up']));
  it('marks the parts of a name', () => expect(found('did cart.addItem', 'cart.add*')).toEqual(['cart', 'addItem']));
  it('loses nothing of the text', () => {
    const text = 'Add 2 × Guji to the cart.';
    expect(
      pieces(text, wanted('guji cart'))
        .map((piece) => piece.text)
        .join(''),
    ).toBe(text);
  });
  it('leaves the text whole when nothing is looked for', () =>
    expect(pieces('Guji', [])).toEqual([{ text: 'Guji', found: false }]));
});
