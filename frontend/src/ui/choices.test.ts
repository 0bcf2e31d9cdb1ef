import { describe, expect, it } from 'vitest';
import { choicesFor } from './choices';

const abigail = { value: '1', label: 'Abigail Frost · abigail@example.com' };
const ana = { value: '2', label: 'Ana Ruiz · ana@example.com' };
const zoe = { value: '3', label: 'Zoë Åkerström' };
const found = [abigail, ana, zoe];

describe('what may be chosen while somebody types', () => {
  it('is all that answers what was typed, whatever it is called', () =>
    expect(choicesFor(found, { text: '555 0101', settled: true })).toEqual(found));

  it('is only what has the words, until they are answered', () => {
    expect(choicesFor(found, { text: 'Ana Ruiz', settled: false })).toEqual([ana]);
    expect(choicesFor(found, { text: 'ruiz  ana', settled: false })).toEqual([ana]);
    expect(choicesFor(found, { text: 'zoe aker', settled: false })).toEqual([zoe]);
    expect(choicesFor(found, { text: 'Bob', settled: false })).toEqual([]);
  });

  it('keeps what is chosen', () => {
    expect(choicesFor([ana], { text: abigail.label, settled: true, chosen: abigail })).toEqual([abigail, ana]);
    expect(choicesFor(found, { text: '', settled: true, chosen: ana })).toEqual(found);
  });
});
