import { describe, expect, it } from 'vitest';
import { draftOfModel, draftOfPreset, findingsOf, lackingIn, untestable, valuesOf } from './modelDraft';

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

it('keeps what a test found, and no context that is only usual', () => {
  const report = { models: [], listed: true, works: true, streaming: true, tools: true, latencyMs: 1 };
  const found = { ...report, parallelCalls: false, thinks: true, context: 8192 };
  expect(findingsOf(found)).toEqual({ abilities: ['tools', 'streaming', 'thinks'], context: 8192 });
  expect(findingsOf({ ...found, assumed: true })).toEqual({ abilities: ['tools', 'streaming', 'thinks'] });
  expect(findingsOf({ ...found, works: false })).toEqual({});
});

it('is tested without the name of a model, and not without an address', () => {
  expect(untestable({ ...draftOfPreset(known, 'lmstudio'), model: '' })).toBeUndefined();
  expect(untestable(draftOfPreset(known, 'other'))).toBe('Fill in the address.');
});

it('keeps how much a model reads, until another is chosen', () => {
  const reads = { ...known, context: 8192 };
  expect(valuesOf(reads, draftOfModel(reads))).toEqual({});
  expect(valuesOf(reads, { ...draftOfModel(reads), context: '16384' })).toEqual({ context: 16384 });
  expect(valuesOf(reads, { ...draftOfModel(reads), context: '' })).toEqual({ context: 0 });
});
