import { expect, it } from 'vitest';
import { isStaleAfter } from '../queries/staleAfter';
import { dependencies } from './answers';

const answers = ['audit.search', 'cart.getSummary', 'catalog.search', 'grant.list', 'order.search'];
const staleAfter = (domain: string) => answers.filter((name) => isStaleAfter(name, domain, dependencies));

it('asks for the cart and the shelf again when stock changed', () =>
  expect(staleAfter('catalog')).toEqual(['cart.getSummary', 'catalog.search']));
it('asks for the orders again when a customer changed', () =>
  expect(staleAfter('customer')).toEqual(['cart.getSummary', 'order.search']));
it('asks for nothing again that is not made of it', () => expect(staleAfter('theme')).toEqual([]));
it('asks for everything again when a shop was set up', () => expect(staleAfter('shop')).toEqual(answers));
