import { describe, expect, it, vi } from 'vitest';
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
    expect(codes).toHaveLength(249);
    const gone = 'SU DD YU CS AN BU TP ZR FX NT HV DY RH VD YD CT JT MI NH NQ PC PU PZ UK'.split(' ');
    const none = 'EU EZ UN ZZ QO XA XB AC CP CQ DG EA IC TA'.split(' ');
    expect(codes.filter((code) => [...gone, ...none].includes(code))).toEqual([]);
  });
  it('have the same countries in an engine that names old codes and keeps them as they are', () => {
    const known = countries();
    const { DisplayNames } = Intl;
    const named = DisplayNames.prototype.of;
    /** WebKit: no canonical form, and the name of what came after. */
    class AsWritten {
      readonly region: string;
      constructor(tag: string) {
        this.region = tag.slice(-2);
      }
    }
    vi.spyOn(Intl, 'Locale').mockImplementation(AsWritten as unknown as typeof Intl.Locale);
    vi.spyOn(DisplayNames.prototype, 'of').mockImplementation(function (this: Intl.DisplayNames, code) {
      return named.call(this, { DD: 'DE', CS: 'RS', YU: 'RS', SU: 'RU', UK: 'GB' }[code] ?? code);
    });
    expect(countries()).toEqual(known);
    vi.restoreAllMocks();
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
