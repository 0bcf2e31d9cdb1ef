// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useTyped } from './useTyped';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

it('asks for the first letter at once and for more in steps; a text that nobody typed at once too', () => {
  const { result } = renderHook(() => {
    const [text, setText] = useState('');
    const [asked, type] = useTyped(text, setText);
    return { asked, type, setText };
  });
  act(() => result.current.type('g'));
  expect(result.current.asked).toBe('g');
  act(() => result.current.type('gu'));
  act(() => result.current.type('guj'));
  expect(result.current.asked).toBe('g');
  act(() => vi.advanceTimersByTime(80));
  expect(result.current.asked).toBe('guj');
  act(() => result.current.setText(' late orders '));
  expect(result.current.asked).toBe('late orders');
  act(() => result.current.setText(''));
  expect(result.current.asked).toBe('');
});
