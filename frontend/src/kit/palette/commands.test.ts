// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ManifestEntry } from '../../bridge/manifest';
import { forgetKept } from '../../ui/window/useKept';
import { commandsFor, recentNames, remember } from './commands';

const entry = (name: string, title: string, more: Partial<ManifestEntry> = {}): ManifestEntry => ({
  name,
  title,
  side_effect: 'pure',
  available: true,
  ...more,
});
const entries = [
  entry('cart.addItem', 'Add to cart', { description: 'Adds a product.' }),
  entry('catalog.search', 'Find products'),
  entry('order.cancel', 'Cancel an order', { available: false }),
  entry('session.stay', 'Somebody is at the desk', { passive: true }),
  entry('assistant.status', 'How the desk’s assistant is', { passive: true }),
  entry('agent.request', 'Ask another program', { composite: true }),
  entry('plan.propose', 'Do all of a plan', { composite: true }),
  entry('assistant.answer', 'Answer the plan', { agent_only: true }),
];
const titles = (text: string, recent: string[] = [], next: string[] = []) =>
  commandsFor(entries, text, recent, next).map((e) => e.title);

describe('commandsFor', () => {
  it('lists by title, unavailable ones too', () =>
    expect(titles('')).toEqual(['Add to cart', 'Cancel an order', 'Find products']));
  it('puts what was used last first', () => expect(titles('', ['order.cancel'])[0]).toBe('Cancel an order'));
  it('puts what is likely next before that', () =>
    expect(titles('', ['order.cancel'], ['catalog.search'])).toEqual([
      ...['Find products', 'Cancel an order', 'Add to cart'],
    ]));
  it('puts a title before a description', () => expect(titles('product')).toEqual(['Find products', 'Add to cart']));
  it('finds by all words', () => expect(titles('order cancel')).toEqual(['Cancel an order']));
  it('does not offer what is passive', () => expect(titles('desk')).toEqual([]));
  it('does not offer another name of commands', () => expect(titles('program')).toEqual([]));
  it('offers neither a plan without its steps nor what only the assistant may use', () =>
    expect(titles('plan')).toEqual([]));
});

describe('recentNames', () => {
  afterEach(() => localStorage.clear());
  it('runs where there is no room to remember it', () => {
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('There is no room.', 'QuotaExceededError');
    });
    remember('cart.clear');
    expect(recentNames()).toEqual([]);
    full.mockRestore();
  });
  it('are those of the person at the desk', () => {
    remember('order.cancel');
    remember('cart.addItem');
    expect(recentNames()).toEqual(['cart.addItem', 'order.cancel']);
    forgetKept(); // another person comes
    expect(recentNames()).toEqual([]);
  });
});
