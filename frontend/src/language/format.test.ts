import { describe, expect, it, onTestFinished } from 'vitest';
import { setTimeZone } from './dates';
import {
  formatDay,
  formatDays,
  formatDuration,
  formatMinute,
  formatMoney,
  formatRound,
  formatSize,
  formatTime,
  formatWeekdays,
  humanize,
} from './format';
import { i18n } from './i18n';

describe('formatMoney', () => {
  it('takes the application’s own words', () =>
    expect(formatMoney({ amount: 1, currency: 'USD', text: 'one' })).toBe('one'));
  it('but in English alone', () => {
    onTestFinished(() => i18n.activate('en'));
    i18n.load('de', {});
    i18n.activate('de');
    expect(formatMoney({ amount: 2639, currency: 'USD', text: 'one' })).toMatch('26');
  });
  it('counts minor units', () => expect(formatMoney({ amount: 4783, currency: 'USD' })).toBe('$47.83'));
  it('knows currencies without them', () => expect(formatMoney({ amount: 4783, currency: 'JPY' })).toBe('¥4,783'));
});

describe('formatRound', () => {
  it('has cents only where there are some', () => {
    expect(formatRound(50000, 'USD')).toBe('$500');
    expect(formatRound(2550, 'USD')).toBe('$25.50');
    expect(formatRound(100000, 'JPY')).toBe('¥100,000');
  });
});

describe('formatTime', () => {
  const noon = Date.UTC(2026, 10, 25, 12);
  it('writes a moment in the time zone of the shop, and its day as it is there', () => {
    onTestFinished(() => setTimeZone(undefined));
    setTimeZone('Asia/Tokyo');
    expect(formatTime(noon, noon)).toMatch(/^9:00/);
    expect(formatTime(noon + 4 * 3_600_000, noon)).toBe('Nov 26, 1:00 AM');
    setTimeZone('America/New_York');
    expect(formatTime(noon + 4 * 3_600_000, noon)).toMatch(/^11:00/);
    expect(formatTime(Date.UTC(2026, 0, 1, 3), noon)).toBe('Dec 31, 2025, 10:00 PM');
  });
});

describe('formatMinute', () => {
  const noon = Date.UTC(2026, 10, 25, 12);
  it('has a year only in another one than now', () => {
    onTestFinished(() => setTimeZone(undefined));
    setTimeZone('UTC');
    expect(formatMinute(noon, noon)).toBe('Wed, Nov 25, 12:00 PM');
    expect(formatMinute(Date.UTC(2030, 3, 1), noon)).toBe('Mon, Apr 1, 2030, 12:00 AM');
  });
});

describe('formatDay', () => {
  it('is the same day everywhere', () => expect(formatDay('2026-11-25')).toBe('Wed, Nov 25'));
  it('keeps what is no day', () => expect(formatDay('soon')).toBe('soon'));
});

describe('formatDays', () => {
  it('says the year, once where it is one', () =>
    expect(formatDays('2025-12-30', '2025-12-31').match(/2025/g)).toHaveLength(1));
  it('is one day where both are', () => expect(formatDays('2026-11-20', '2026-11-20')).toBe('Nov 20, 2026'));
});

describe('formatSize', () => {
  it('counts kilobytes, then megabytes', () =>
    expect([formatSize(1), formatSize(812_000), formatSize(4_260_000)]).toEqual(['1 kB', '812 kB', '4.3 MB']));
});

describe('formatDuration', () => {
  it('counts milliseconds, then seconds', () =>
    expect([formatDuration(11.4), formatDuration(2812)]).toEqual(['11 ms', '2.8 s']));
});

describe('humanize', () => {
  it.each([
    ['shippingAddressId', 'Shipping address'],
    ['customer_id', 'Customer'],
    ['line1', 'Line 1'],
    ['id', 'Id'],
    ['total', 'Total'],
  ])('%s', (name, text) => expect(humanize(name)).toBe(text));
});

describe('formatWeekdays', () => {
  it('names the days, from Monday', () => expect(formatWeekdays([1, 5, 7])).toBe('Monday, Friday, and Sunday'));
});
