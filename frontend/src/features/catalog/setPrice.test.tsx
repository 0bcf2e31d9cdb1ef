// @vitest-environment jsdom
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { usd } from '../../shop/fake/data';
import { show } from '../../shop/fake/show';
import { WaitingBackend } from '../../shop/fake/waiting';
import type { Variant } from './product';
import { SetPrice } from './SetPrice';

const variant = { id: 'v1', productId: 'p1', label: '250 g', price: usd(1000), options: {} } as unknown as Variant;

it('a price that nobody touched follows the one that is set elsewhere, and is not put back', async () => {
  const backend = new WaitingBackend();
  backend.wait('catalog.setPrice');
  const dialog = (amount: number) => (
    <SetPrice variant={{ ...variant, price: usd(amount) }} onClose={() => undefined} />
  );
  const { user, put } = show(backend, dialog(1000));
  const field = (await screen.findByRole('textbox', { name: 'New price' })) as HTMLInputElement;
  put(dialog(1200));
  await waitFor(() => expect(field.value).toBe('12.00'));
  await user.click(field);
  await user.keyboard('{Enter}');
  expect(backend.asks).toEqual([]);
  await user.type(field, '{Backspace}5');
  put(dialog(1300));
  expect(field.value).toBe('12.05');
  await user.keyboard('{Enter}');
  expect(backend.asks.map((asked) => asked.arguments)).toEqual([
    { variantId: 'v1', price: { amount: 1205, currency: 'USD' } },
  ]);
});
