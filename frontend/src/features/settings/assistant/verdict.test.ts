import { describe, expect, it } from 'vitest';
import { presetBy, presetOf, presets } from './presets';
import { findings, verdict } from './verdict';

const able = {
  ...{ models: ['small', 'large'], listed: true, works: true, streaming: true, tools: true },
  ...{ parallelCalls: true, thinks: false, latencyMs: 400 },
};

describe('verdict', () => {
  it('is good for what answers and calls tools', () => expect(verdict(able).good).toBe(true));
  it('is the application’s own sentence for what does not work', () =>
    expect(verdict({ ...able, works: false, tools: false, problem: 'Nothing answers there.' })).toEqual({
      good: false,
      text: 'Nothing answers there.',
    }));
  it('is bad for a model that only talks', () => expect(verdict({ ...able, tools: false }).good).toBe(false));
});

describe('findings', () => {
  it('tells all that was tried', () => expect(findings(able, 'small').every(({ good }) => good)).toBe(true));
  it('tells a model that is not there', () =>
    expect(findings({ ...able, listed: false }, 'huge')[0]).toEqual({
      good: false,
      text: 'The endpoint does not list huge. It has 2: choose one above.',
    }));
  it('says nothing of what was not tried', () =>
    expect(findings({ ...able, works: false, listed: false, models: [] }, 'small')).toEqual([]));
});

describe('presets', () => {
  it('are known again by their address', () => {
    for (const preset of presets) expect(presetOf(preset.endpoint)).toBe(preset);
    expect(presetOf('http://localhost:11434/v1/').id).toBe('ollama');
  });
  it('leave another address as it is', () => {
    expect(presetOf('https://models.example/v1').id).toBe('other');
    expect(presetBy('nothing').id).toBe('other');
  });
});

it('says how much a model reads, and what that is worth', () => {
  const texts = (context: number, assumed: boolean) =>
    findings({ ...able, context, assumed }, 'm').filter(({ text }) => text.includes('tokens'));
  expect(texts(32768, false)).toEqual([{ good: true, text: 'It reads 32,768 tokens at once.' }]);
  expect(texts(4096, false)[0]?.good).toBe(false);
  expect(texts(4096, true)[0]?.text).toContain('usual');
});
