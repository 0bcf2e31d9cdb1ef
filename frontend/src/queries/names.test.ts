import { expect, it } from 'vitest';
import type { CapabilityName, QueryName } from '../bridge/capabilities';

/** The types hold this file: where one of these lines compiles without its error, the type check fails. */
const asked = <N extends QueryName>(name: N) => name;
const invoked = <N extends CapabilityName>(name: N) => name;

it('keeps the answers of capabilities alone that say what these are made of, and knows their names', () => {
  // @ts-expect-error: it acts, and provides nothing that could be kept
  asked('cart.addItem');
  // @ts-expect-error: there is no capability of this name
  asked('cart.getSumary');
  // @ts-expect-error: nor of this one
  invoked('cart.addItme');
  expect([asked('cart.getSummary'), invoked('cart.addItem')]).toEqual(['cart.getSummary', 'cart.addItem']);
});
