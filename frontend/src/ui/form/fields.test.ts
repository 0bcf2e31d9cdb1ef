import { describe, expect, it } from 'vitest';
import { draftOf, type Field, filled, missing } from './fields';

const fields: Field<'name' | 'email'>[] = [
  { name: 'name', label: 'Name', required: true },
  { name: 'email', label: 'Email' },
];

describe('a form of texts', () => {
  it('begins with what is known', () =>
    expect(draftOf(fields, { email: 'a@example.org' })).toEqual({ name: '', email: 'a@example.org' }));
  it('names what is missing', () => expect(missing(fields, { name: '  ', email: '' })).toBe('Fill in: Name.'));
  it('misses nothing that may be left out', () => expect(missing(fields, { name: 'Ana', email: '' })).toBeUndefined());
  it('sends no empty texts', () => expect(filled({ name: ' Ana ', email: ' ' })).toEqual({ name: 'Ana' }));
});
