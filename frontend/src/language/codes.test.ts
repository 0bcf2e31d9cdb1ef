import { describe, expect, it } from 'vitest';
import { currencies, documentLanguages, timeZones } from './codes';

describe('codes', () => {
  it('are read by their names', () => {
    expect(currencies()).toContainEqual({ value: 'EUR', label: 'Euro (EUR)' });
    expect(timeZones()).toContainEqual({ value: 'America/New_York', label: 'America / New York' });
    expect(documentLanguages()).toContainEqual({ value: 'de-AT', label: 'Austrian German (de-AT)' });
  });
  it('are in the order of their names', () => {
    for (const codes of [currencies(), timeZones(), documentLanguages()]) {
      const labels = codes.map(({ label }) => label);
      expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});
