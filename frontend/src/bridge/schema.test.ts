import { describe, expect, it } from 'vitest';
import { i18n } from '../language/i18n';
import { at, enumOf, propertyOf, putAt, translateChoice } from './schema';

const schema = {
  properties: { reason: { $ref: '#/$defs/Reason' }, note: { type: 'string' } },
  $defs: { Reason: { enum: ['other', 1] } },
};

describe('propertyOf', () => {
  it('follows a local reference', () => expect(propertyOf(schema, 'reason')).toEqual({ enum: ['other', 1] }));
  it.each(['x', 'constructor', '__proto__'])('is nothing for the unknown name %s', (name) =>
    expect(propertyOf(schema, name)).toBeUndefined(),
  );
});

describe('enumOf', () => {
  it('lists the texts', () => expect(enumOf(schema, 'reason')).toEqual(['other']));
  it('is empty where there is no list', () => expect(enumOf(schema, 'note')).toEqual([]));
});

describe('at', () => {
  const value = { a: [{ 'b/c': 1 }] };
  it('follows a pointer through lists and escaped names', () => expect(at(value, '/a/0/b~1c')).toBe(1));
  it('is the whole for no pointer', () => expect(at(value, '')).toBe(value));
  it.each(['/constructor/name', '/a/length', '/a/__proto__', '/__proto__', '/toString'])(
    'is nothing at %s',
    (pointer) => expect(at(value, pointer)).toBeUndefined(),
  );
  it('is nothing where the path ends', () => expect(at(value, '/x/0')).toBeUndefined());
});

describe('putAt', () => {
  const value = { a: [{ b: 1, 'c/d': 2 }, 3], e: 4 };
  it.each([
    ['/a/0/c~1d', { a: [{ b: 1, 'c/d': 9 }, 3], e: 4 }],
    ['/a/1', { a: [{ b: 1, 'c/d': 2 }, 9], e: 4 }],
    ['/f', { ...value, f: 9 }],
    ['/f/g', { ...value, f: { g: 9 } }],
    ['', 9],
  ])('puts a value at %s', (pointer, after) => {
    expect(putAt(value, pointer, 9)).toEqual(after);
    expect(value).toEqual({ a: [{ b: 1, 'c/d': 2 }, 3], e: 4 });
  });
});

describe('putAt with a name that every object inherits', () => {
  it.each(['/__proto__/x', '/constructor/x', '/a/0/__proto__/x'])('changes only the copy at %s', (pointer) => {
    expect(at(putAt({ a: [{ b: 1 }] }, pointer, 9), pointer)).toBe(9);
    expect('x' in {}).toBe(false);
    expect('x' in Object).toBe(false);
  });
});

describe('translateChoice', () => {
  it('says a choice in the language of the window, and leaves what somebody wrote', () => {
    i18n.load('de', { other: 'anderes' });
    i18n.activate('de');
    const texts = [translateChoice(schema, 'reason', 'other'), translateChoice(schema, 'note', 'other')];
    i18n.activate('en');
    expect(texts).toEqual(['anderes', 'other']);
  });
});
