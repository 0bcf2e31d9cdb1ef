// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { forgetKept, readDrafts, useDraft, useKept, useLasting } from './useKept';

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

describe('useDraft', () => {
  it('is there when the page is loaded anew', () => {
    const { result } = renderHook(() => useDraft<{ name: string }>('form'));
    act(() => result.current[1]({ name: 'Half a na' }));
    expect(result.current[0]).toEqual({ name: 'Half a na' });
    expect(readDrafts()).toEqual([['deskhand.draft form', { name: 'Half a na' }]]);
    act(() => result.current[1](undefined));
    expect(readDrafts()).toEqual([]);
  });
  it('is nobody else’s', () => {
    const { result } = renderHook(() => useDraft<string>('sentence'));
    act(() => result.current[1]('submit my'));
    act(forgetKept);
    expect(result.current[0]).toBeUndefined();
    expect(readDrafts()).toEqual([]);
  });
  it('is none where it cannot be read', () => {
    sessionStorage.setItem('deskhand.draft x', '{');
    expect(readDrafts()).toEqual([]);
  });
});

describe('useLasting', () => {
  const lasting = (key: string) => renderHook(() => useLasting(key, { text: '' }));
  it('is there when the page is loaded anew', () => {
    const { result } = lasting('note');
    expect(result.current[0]).toEqual({ text: '' });
    expect(readDrafts(), 'nothing was typed').toEqual([]);
    act(() => result.current[1]((now) => ({ text: `${now.text}Call` })));
    act(() => result.current[1]((now) => ({ text: `${now.text} Ana` })));
    expect(result.current[0]).toEqual({ text: 'Call Ana' });
    expect(lasting('note').result.current[0]).toEqual({ text: 'Call Ana' });
    expect(readDrafts()).toEqual([['deskhand.draft note', { text: 'Call Ana' }]]);
  });
  it('is forgotten when its component is removed', async () => {
    const { result, unmount } = lasting('other');
    act(() => result.current[1]({ text: 'Half a no' }));
    unmount();
    await Promise.resolve();
    expect(readDrafts().map(([name]) => name)).not.toContain('deskhand.draft other');
    expect(lasting('other').result.current[0]).toEqual({ text: '' });
  });
  it('tells nothing from null', () => {
    const { result } = renderHook(() => useLasting<string | null>('choice', 'first'));
    act(() => result.current[1](null));
    expect(result.current[0]).toBeNull();
  });
});
