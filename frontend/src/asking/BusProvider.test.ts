import { QueryClient } from '@tanstack/react-query';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BusEvent } from '../door/wire';
import { answerKey, MANIFEST_KEY, pagesKey, refresh } from './BusProvider';

const keys = {
  cart: answerKey('cart.getSummary', {}),
  orders: pagesKey('order.search', { limit: 100 }),
  catalog: answerKey('catalog.search', {}),
  audit: answerKey('audit.search', {}),
  records: pagesKey('audit.search', {}),
  manifest: MANIFEST_KEY,
};
let queries: QueryClient;

function staleAfter(event: BusEvent): string[] {
  refresh(queries, event);
  return Object.entries(keys).flatMap(([name, key]) => (queries.getQueryState(key)?.isInvalidated ? [name] : []));
}

describe('refresh', () => {
  beforeEach(() => {
    queries = new QueryClient();
    for (const key of Object.values(keys)) queries.setQueryData(key, {});
  });

  it('asks again for what a changed domain is part of, and for what is possible', () => {
    expect(staleAfter({ type: 'stateChange', domain: 'cart' })).toEqual(['cart', 'manifest']);
    expect(staleAfter({ type: 'stateChange', domain: 'order' })).toEqual(['cart', 'orders', 'manifest']);
  });
  it('asks for the cart and the shelf again when stock changed', () => {
    expect(staleAfter({ type: 'stateChange', domain: 'catalog' })).toEqual(['cart', 'catalog', 'manifest']);
  });
  it('asks for everything again when a shop was set up', () => {
    expect(staleAfter({ type: 'stateChange', domain: 'shop' })).toEqual(Object.keys(keys));
  });
  it('forgets every answer when somebody else comes, or nobody is there', () => {
    refresh(queries, { type: 'stateChange', domain: 'session' });
    expect(Object.values(keys).map((key) => queries.getQueryData(key))).toEqual(Object.keys(keys).map(() => undefined));
  });
  it('asks for the records again when something was done, but not for all that were scrolled through', () => {
    expect(staleAfter({ type: 'invocation', capability: 'cart.addItem', status: 'success' })).toEqual(['audit']);
  });
  it('asks for the records again when something was undone', () => {
    expect(staleAfter({ type: 'invocation', capability: 'audit.undo', status: 'success' })).toEqual(['audit']);
  });
  it('does not go round in circles when the records are read', () => {
    expect(staleAfter({ type: 'invocation', capability: 'audit.search', status: 'success' })).toEqual([]);
  });
  it('asks for everything again when it missed something', () => {
    expect(staleAfter({ type: 'missed', missed: 3 })).toEqual(Object.keys(keys));
  });
});
