// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { choose, type } from '../../../shop/fake/dialogs';
import { show } from '../../../shop/fake/show';
import { WaitingBackend } from '../../../shop/fake/waiting';
import { NewGrant } from './NewGrant';

/** The dialog, with an order to be cancelled chosen. */
async function opened() {
  const backend = new WaitingBackend();
  const cancel = { name: 'order.cancel', title: 'Cancel an order', side_effect: 'destructive', run: () => ({}) };
  backend.offer({ ...cancel, ...{ grantable: ['amount'], facts: ['amount'] } });
  backend.replace('assistant.status', () => ({ endpoint: 'built-in', model: 'built-in' }));
  backend.wait('grant.create');
  const { user } = show(backend, <NewGrant onClose={() => undefined} />);
  await choose(user, 'What is allowed', 'Cancel an order');
  const give = () => user.click(screen.getByRole('button', { name: 'Give the grant' }));
  return { user, give, sent: () => backend.asks.map((asked) => asked.arguments) };
}

it.each([
  ['Each at most', 'ten'],
  ['Each at most', '1.234'],
  ['In all at most', '1,00,000'],
  ['How often at most', '1,5'],
  ['How often at most', '0'],
])('no grant is given while “%s” has a text that cannot be read: %s', async (name, typed) => {
  const { user, give, sent } = await opened();
  await type(user, name, typed);
  await give();
  await user.keyboard('{Enter}');
  expect(sent()).toEqual([]);
  const field = screen.getByRole('textbox', { name });
  expect(field.getAttribute('aria-invalid')).toBe('true');
  expect(document.activeElement).toBe(field);
});

it('a bound with separators of thousands is that bound', async () => {
  const { user, give, sent } = await opened();
  await type(user, 'Each at most', '1,000.00');
  await type(user, 'In all at most', '2.000,50');
  await type(user, 'How often at most', '1,000');
  await give();
  await waitFor(() => expect(sent()).toHaveLength(1));
  expect(sent()[0]).toMatchObject({
    constraints: { amount: { max: { amount: 100_000, currency: 'USD' } } },
    limits: { uses: 1000, budget: { amount: 200_050, currency: 'USD' } },
  });
});
