import { describe, expect, it } from 'vitest';
import { matchesText, meant, offersOf, piecesIn } from './search';

const price = { amount: 1850, currency: 'USD', text: '$18.50' };
const variant = (id: string) => ({ id, label: '250 g', options: { Size: '250 g' }, price, stock: 4, available: true });
const guji = { id: 'p1', name: 'Guji', tags: [], optionNames: [], variants: [variant('v1'), variant('v2')] };
const mug = { id: 'p2', name: 'Mug', tags: [], optionNames: [], variants: [variant('v3')] };

describe('meant', () => {
  it('takes the variant whose SKU or barcode was asked for', () => {
    expect(meant(offersOf([{ ...guji, matchedVariantId: 'v2' }, mug]))?.variant.id).toBe('v2');
  });
  it('takes the only thing found', () => expect(meant(offersOf([mug]))?.variant.id).toBe('v3'));
  it('takes nothing when several were found', () => expect(meant(offersOf([guji, mug]))).toBeUndefined());
  it('takes nothing when nothing was found', () => expect(meant([])).toBeUndefined());
});

describe('matchesText', () => {
  it('counts', () => expect(matchesText(3, false)).toBe('3 matches, choose one'));
  it('does not pretend to know all', () => expect(matchesText(50, true)).toBe('50 and more matches, choose one'));
  it('says that there is none', () => expect(matchesText(0, false)).toBe('No match'));
});

describe('piecesIn', () => {
  it.each([
    ['3*guji', 3, 'guji'],
    ['12 × 4006381333931', 12, '4006381333931'],
    ['2*', 2, ''],
    ['guji', 1, 'guji'],
    ['250*g', 250, 'g'],
    ['0*guji', 1, '0*guji'],
    ['12345*guji', 1, '12345*guji'],
    ['1.5*guji', 1, '1.5*guji'],
    ['', 1, ''],
  ])('%s', (text, pieces, of) => expect(piecesIn(text)).toEqual({ pieces, of }));
});
