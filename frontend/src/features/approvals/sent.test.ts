import { expect, it } from 'vitest';
import { linesOf } from './sent';

it('names every value of what is sent by its place', () => {
  const mail = {
    ...{ to: 'ana@example.com', subject: 'Your receipt', copy: '' },
    attachments: [{ name: 'receipt.pdf', bytes: 1200 }],
    body: { event: 'order', total: { amount: 4783, currency: 'USD' }, paid: true, lines: [{ sku: 'A' }, { sku: 'B' }] },
  };
  expect(linesOf(mail)).toEqual([
    { label: 'To', text: 'ana@example.com' },
    { label: 'Subject', text: 'Your receipt' },
    { label: 'Attachments name', text: 'receipt.pdf' },
    { label: 'Attachments bytes', text: '1200' },
    { label: 'Body event', text: 'order' },
    { label: 'Body total', text: '$47.83' },
    { label: 'Body paid', text: 'yes' },
    { label: 'Body lines 1 sku', text: 'A' },
    { label: 'Body lines 2 sku', text: 'B' },
  ]);
});
