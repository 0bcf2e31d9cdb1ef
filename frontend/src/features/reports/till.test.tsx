// @vitest-environment jsdom
import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import { Takings, Till } from './Till';

const money = {
  type: 'object',
  properties: { amount: { type: 'integer' }, currency: { type: 'string' } },
  required: ['amount', 'currency'],
};
const object = (properties: object, ...required: string[]) => ({ type: 'object', properties, required }) as never;

function open() {
  const backend = new WaitingBackend();
  backend.wait('day.close', object({ counted: money, note: { type: 'string' } }, 'counted'));
  backend.wait('cash.move', object({ amount: money, reason: { type: 'string', minLength: 1 } }, 'amount', 'reason'));
  backend.offer({
    ...{ name: 'day.preview', title: 'Preview', side_effect: 'pure', input_schema: object({}) },
    run: () => ({ methods: [{ method: 'card', net: usd(4725) }], moved: usd(-2000), expected: usd(21_450) }),
  });
  return backend;
}

it('the day is closed by four inputs, with what should be in the drawer before one', async () => {
  const backend = open();
  const { user } = show(backend, <Till till={{ desk: 'Main', closed: false, expected: usd(21_450) }} />);
  expect(screen.getByText('This desk was never closed.')).toBeTruthy();
  await screen.findByRole('button', { name: /Close the day/ });
  await user.keyboard('{F9}');
  await screen.findByText('$47.25');
  expect(screen.getByText(/not a certified fiscal register/)).toBeTruthy();
  await screen.findByRole('textbox', { name: /Counted/ });
  await user.keyboard('214.50{Enter}');
  expect(backend.asks.map(({ capability, arguments: args }) => [capability, args])).toEqual([
    ['day.close', { counted: { amount: 21_450, currency: 'USD' } }],
  ]);
});

it('cash is taken out by a minus', async () => {
  const backend = open();
  const { user } = show(
    backend,
    <Till till={{ desk: 'Main', closed: true, lastClosingNumber: 12, lastClosedAt: 1, expected: usd(0) }} />,
  );
  expect(screen.getByText(/The day is closed with 12/)).toBeTruthy();
  await screen.findByRole('button', { name: 'Move cash' });
  await user.keyboard('{Shift>}{F9}{/Shift}');
  await user.type(await screen.findByRole('textbox', { name: /Amount/ }), '-20');
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Bank{Enter}');
  expect(backend.asks.map(({ arguments: args }) => args)).toEqual([
    { amount: { amount: -2000, currency: 'USD' }, reason: 'Bank' },
  ]);
});

it('takings stand beside those of yesterday', () => {
  show(open(), <Takings methods={[{ method: 'card', taken: usd(4725), yesterday: usd(1200) }]} />);
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['Card', '$47.25', '$12.00']);
});
