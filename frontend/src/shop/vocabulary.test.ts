import { expect, it } from 'vitest';
import { fulfilmentText } from './vocabulary';

it.each([
  ['pickUp', 'pending', 'To be picked up'],
  ['pickUp', 'processed', 'To be picked up'],
  ['pickUp', 'delivered', 'Picked up'],
  ['pickUp', 'cancelled', 'Not handed over'],
  ['deliver', 'processed', 'To be delivered'],
  ['deliver', 'delivered', 'Delivered'],
  ['takeAway', 'delivered', 'Taken along'],
] as const)('%s, %s: %s', (fulfilment, status, text) => expect(fulfilmentText({ fulfilment, status })).toBe(text));
