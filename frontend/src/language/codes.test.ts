import { describe, expect, it } from 'vitest';
import { countries, currencies, documentLanguages, timeZones } from './codes';

describe('codes', () => {
  it('are read by their names', () => {
    expect(currencies()).toContainEqual({ value: 'EUR', label: 'Euro (EUR)' });
    expect(timeZones()).toContainEqual({ value: 'America/New_York', label: 'America / New York' });
    expect(documentLanguages()).toContainEqual({ value: 'de-AT', label: 'Austrian German (de-AT)' });
    expect(countries()).toContainEqual({ value: 'DE', label: 'Germany (DE)' });
  });
  it('have each country once, and nothing that is none', () => {
    const codes = countries().map(({ value }) => value);
    expect(codes.length).toBeGreaterThan(245);
    expect(codes.filter((code) => ['EU', 'UN', 'ZZ', 'SU', 'DD', 'YU', 'AN', 'UK'].includes(code))).toEqual([]);
  });
  it('begin with the nearest zones', () => {
    const zones = timeZones(['Pacific/Chatham', 'Pacific/Auckland']).map(({ value }) => value);
    expect(zones.slice(0, 2)).toEqual(['Pacific/Chatham', 'Pacific/Auckland']);
    expect(new Set(zones).size).toBe(zones.length);
  });
  it('are in the order of their names', () => {
    for (const codes of [countries(), currencies(), timeZones(), documentLanguages()]) {
      const labels = codes.map(({ label }) => label);
      expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
      expect(new Set(labels).size).toBe(labels.length);
    }
  });
});
