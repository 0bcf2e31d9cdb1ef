import { describe, expect, it } from 'vitest';
import { fileIn } from './dropping';

const dropping = (...files: File[]) => fileIn({ files: files as unknown as FileList });
const named = (name: string, size = 4) => Object.defineProperty(new File([], name), 'size', { value: size });

describe('fileIn', () => {
  it('finds the one CSV file', () => {
    const file = named('People.CSV', 16 * 2 ** 20);
    expect(dropping(file)).toEqual({ file });
  });
  it('refuses anything else in words', () => {
    const only = { refusal: 'Only a CSV file can be dropped here: an export of products, customers or orders.' };
    expect(dropping()).toEqual(only);
    expect(dropping(named('people.xlsx'))).toEqual(only);
    expect(dropping(named('people.csv.exe'))).toEqual(only);
  });
  it('refuses several', () =>
    expect(dropping(named('a.csv'), named('b.csv'))).toEqual({ refusal: 'Drop one file at a time.' }));
  it('refuses what is too large for the page', () =>
    expect(dropping(named('a.csv', 16 * 2 ** 20 + 1))).toEqual({
      refusal: 'a.csv is larger than 16 MB. Choose it with Import a file instead.',
    }));
});
