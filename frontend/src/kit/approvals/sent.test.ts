import { afterEach, expect, it } from 'vitest';
import { i18n } from '../../language/i18n';
import { linesOf } from './sent';

afterEach(() => i18n.activate('en'));

it('names every value of what is sent by its place', () => {
  const mail = {
    ...{ to: 'ana@example.com', subject: 'Your receipt', copy: '' },
    attachments: [{ name: 'receipt.pdf', bytes: 1200 }],
    body: {
      ...{ event: 'order', sentAt: Date.UTC(2026, 10, 20) },
      order: { total: { amount: 4783, currency: 'USD' }, paid: true, shippingAddress: { city: 'Portland' } },
      lines: [{ sku: 'A' }, { sku: 'B' }],
    },
  };
  expect(linesOf(mail).map(({ label, text }) => [label, text])).toEqual([
    ['To', 'ana@example.com'],
    ['Subject', 'Your receipt'],
    ['Attachments name', 'receipt.pdf'],
    ['Attachments bytes', '1200'],
    ['Event', 'order'],
    ['Sent at', expect.stringContaining('2026')],
    ['Order total', '$47.83'],
    ['Order paid', 'yes'],
    ['Shipping address city', 'Portland'],
    ['Lines 1 sku', 'A'],
    ['Lines 2 sku', 'B'],
  ]);
});

it('leaves the words of another language as they are written', () => {
  i18n.load('de', { Order: 'Bestellung', Total: 'Gesamtbetrag' });
  i18n.activate('de');
  expect(linesOf({ order: { total: 'x', paid: 'y' } }).map(({ label }) => label)).toEqual([
    'Bestellung Gesamtbetrag',
    'Bestellung Paid',
  ]);
});
