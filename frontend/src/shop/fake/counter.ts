import { act } from '@testing-library/react';
import type { Response } from '../../bridge/capabilities';
import { customers, products } from './data';
import { WaitingBackend } from './waiting';

type Cart = Response<'cart.getSummary'>;

/** A shop with one piece in Ana's cart; the answers of some capabilities are left to the test. */
export function counterShop(...waiting: string[]) {
  const backend = new WaitingBackend();
  const [product] = products;
  backend.shop.customer = customers[0];
  const changed = (domain: string) => backend.emit('bus', { type: 'stateChange', domain, ids: [] });
  const call = (args: object) => ({ args: args as never, caller: { type: 'ui' }, requestId: 'r', changed });
  backend.shop.add(call({ productId: product?.id, variantId: product?.variants[0]?.id, quantity: 1 }));
  let over: Partial<Cart> = {};
  backend.replace('cart.getSummary', () => ({ ...backend.shop.summary(), ...over }));
  for (const name of waiting) backend.wait(name);
  const sent = (name: string) => backend.asks.filter(({ capability }) => capability === name);
  /** Sets the cart of the next answers, with or without an event. */
  const become = (next: Partial<Cart>, told = true) =>
    act(async () => {
      over = { ...over, ...next };
      if (told) changed('cart');
    });
  return { backend, sent, become };
}
