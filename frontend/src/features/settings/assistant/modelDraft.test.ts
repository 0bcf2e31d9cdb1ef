import { describe, expect, it } from 'vitest';
import { draftOfModel, draftOfPreset, lackingIn, valuesOf } from './modelDraft';

const known = { endpoint: 'http://localhost:11434/v1', model: 'llama3.1', keySet: true, inputPrice: '2.50' };

describe('valuesOf', () => {
  it('are nothing when nothing is changed', () => {
    expect(valuesOf(known, draftOfModel(known))).toEqual({});
    expect(valuesOf(undefined, draftOfModel(undefined))).toEqual({});
  });
  it('lets the built-in assistant answer again', () =>
    expect(valuesOf(known, draftOfPreset(known, 'builtin'))).toEqual({ endpoint: '' }));
  it('says address and model of another one, with its own prices', () =>
    expect(valuesOf(known, { ...draftOfModel(known), model: 'large ', inputPrice: '2.50' })).toEqual({
      endpoint: known.endpoint,
      model: 'large',
      inputPrice: '2.50',
    }));
  it('takes a key and a price alone', () =>
    expect(valuesOf(known, { ...draftOfModel(known), key: 'secret', inputPrice: '' })).toEqual({
      key: 'secret',
      inputPrice: '',
    }));
});

describe('draftOfPreset', () => {
  it('begins with what a preset comes with', () =>
    expect(draftOfPreset(known, 'openai')).toMatchObject({ endpoint: 'https://api.openai.com/v1', inputPrice: '' }));
  it('brings back what is set', () => expect(draftOfPreset(known, 'ollama')).toEqual(draftOfModel(known)));
});

it('lacks an address where there is none', () => {
  expect(lackingIn(draftOfPreset(known, 'other'))).toBe('Fill in address and model.');
  expect(lackingIn(draftOfModel(undefined))).toBeUndefined();
});
