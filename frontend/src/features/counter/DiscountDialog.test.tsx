// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Response } from '../../bridge/capabilities';
import { usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import { DiscountDialog } from './DiscountDialog';

it('a typed amount stays after a look at percent, and is given', async () => {
  const backend = new WaitingBackend();
  backend.wait('cart.applyDiscount');
  const cart = { items: [], total: usd(2000) } as unknown as Response<'cart.getSummary'>;
  const { user } = show(backend, <DiscountDialog cart={cart} onClose={() => undefined} />);
  await user.click(screen.getByRole('radio', { name: 'USD' }));
  await user.click(screen.getByRole('textbox', { name: 'Amount' }));
  await user.keyboard('4.50');
  await user.click(screen.getByRole('radio', { name: 'Percent' }));
  await user.click(screen.getByRole('radio', { name: 'USD' }));
  expect(screen.getByRole('textbox', { name: 'Amount' })).toHaveProperty('value', '4.50');
  await user.click(screen.getByRole('button', { name: 'Give the discount' }));
  await waitFor(() =>
    expect(backend.asks.map((asked) => asked.arguments)).toMatchObject([{ amount: { amount: 450 } }]),
  );
});
