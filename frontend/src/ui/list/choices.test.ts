import { describe, expect, it } from 'vitest';
import { choicesFor, having } from './choices';

const abigail = { value: '1', label: 'Abigail Frost · abigail@example.com' };
const ana = { value: '2', label: 'Ana Ruiz · ana@example.com' };
const zoe = { value: '3', label: 'Zoë Åkerström' };
const found = [abigail, ana, zoe];

describe('what may be chosen while somebody types', () => {
  it('is all that answers what was typed, whatever it is called', () =>
    expect(choicesFor(found, { words: '555 0101' })).toEqual(found));

  it('is nothing until that is answered', () => {
    expect(choicesFor(undefined, { words: 'Ana Ruiz' })).toEqual([]);
    expect(choicesFor(undefined, { words: 'Ana Ruiz', chosen: abigail })).toEqual([]);
  });

  it('is also what is chosen, where nothing else is typed', () => {
    expect(choicesFor([ana], { words: '', chosen: abigail })).toEqual([abigail, ana]);
    expect(choicesFor(undefined, { words: '', chosen: abigail })).toEqual([abigail]);
    expect(choicesFor(found, { words: '', chosen: ana })).toEqual(found);
    expect(choicesFor([ana], { words: 'ana', chosen: abigail })).toEqual([ana]);
  });

  it('has every word, in whatever order and without accents, where nobody can be asked', () => {
    expect(having(found, 'ruiz  ana')).toEqual([ana]);
    expect(having(found, 'zoe aker')).toEqual([zoe]);
    expect(having(found, 'Bob')).toEqual([]);
    expect(having(undefined, 'Ana')).toBeUndefined();
  });
});
