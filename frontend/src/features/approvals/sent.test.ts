import { expect, it } from 'vitest';
import { linesOf } from './sent';

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
