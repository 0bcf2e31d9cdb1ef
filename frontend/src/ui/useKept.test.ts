// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { useKept } from './useKept';

describe('useKept', () => {
  it('keeps a value when its component goes and comes back', () => {
    const first = renderHook(() => useKept<string>('a'));
    act(() => first.result.current[1]('Work'));
    expect(first.result.current[0]).toBe('Work');
    first.unmount();
    expect(renderHook(() => useKept<string>('a')).result.current[0]).toBe('Work');
  });
  it('keeps one value per key', () => {
    const { result, rerender } = renderHook(({ key }) => useKept<string>(key), { initialProps: { key: 'b' } });
    act(() => result.current[1]('Ana'));
    rerender({ key: 'c' });
    expect(result.current[0]).toBeUndefined();
    rerender({ key: 'b' });
    expect(result.current[0]).toBe('Ana');
  });
  it('forgets', () => {
    const { result } = renderHook(() => useKept<string>('d'));
    act(() => result.current[1]('x'));
    act(() => result.current[1](undefined));
    expect(result.current[0]).toBeUndefined();
  });
});
