// @vitest-environment jsdom
import { afterEach, expect, it, vi } from 'vitest';
import { keptTextSize, setTextSize } from '../theme/sizes';
import { store, stored } from './stored';

afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});

const full = () =>
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('There is no room.', 'QuotaExceededError');
  });

it.each(['localStorage', 'sessionStorage'] as const)('reads from %s what was stored', (storage) => {
  store(storage, 'a', { b: [1] });
  expect(stored(storage, 'a')).toEqual({ b: [1] });
  store(storage, 'a', undefined);
  expect(stored(storage, 'a')).toBeUndefined();
  globalThis[storage].setItem('a', 'no JSON');
  expect(stored(storage, 'a')).toBeUndefined();
});

it('removes the value before where there is no room for the next', () => {
  store('localStorage', 'a', 1);
  full();
  store('localStorage', 'a', 2);
  expect(stored('localStorage', 'a'), 'the earlier value does not come back').toBeUndefined();
});

it('goes on where there is no room: the text has its size', () => {
  full();
  setTextSize(150);
  expect(document.documentElement.style.fontSize).toBe('150%');
  expect(keptTextSize()).toBe(100);
  setTextSize(100);
});
