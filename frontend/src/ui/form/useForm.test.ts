// @vitest-environment jsdom
import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { forgetKept } from '../window/useKept';
import { useForm } from './useForm';

interface Contact {
  name: string;
  email: string;
  tags?: string[];
}

const form = (key: string | undefined, known: Contact) =>
  renderHook(({ known }) => useForm(key, known), { initialProps: { known } });
const ana: Contact = { name: 'Ana', email: 'ana@example.com' };

afterEach(() => {
  cleanup();
  forgetKept();
});

it('sends what was changed and what was emptied, without the blanks around it', () => {
  const { result } = form('contact', ana);
  act(() => result.current.change({ name: 'Ana ', email: '' }));
  expect(result.current.values).toEqual({ name: 'Ana ', email: '' });
  expect(result.current.changes).toEqual({ email: '' });
});

it('keeps what was typed, follows what becomes known in the other fields, and follows again what was saved', () => {
  const { result, rerender } = form('contact', ana);
  act(() => result.current.change({ name: 'Anna' }));
  rerender({ known: { name: 'Ana', email: 'new@example.com' } });
  expect(result.current.values).toEqual({ name: 'Anna', email: 'new@example.com' });
  rerender({ known: { name: 'Anna', email: 'new@example.com' } });
  rerender({ known: { name: 'Anne', email: 'new@example.com' } });
  expect(result.current.values.name).toBe('Anne');
});

it('takes two changes between two drawings', () => {
  const { result } = form('contact', ana);
  const { change } = result.current;
  act(() => {
    change({ name: 'Ben' });
    change({ email: 'ben@example.com' });
  });
  expect(result.current.values).toEqual({ name: 'Ben', email: 'ben@example.com' });
});

it('has no change where a list is again what it was', () => {
  const { result } = form('contact', { ...ana, tags: ['vip'] });
  act(() => result.current.change({ tags: [] }));
  act(() => result.current.change({ tags: ['vip'] }));
  expect(result.current.changes).toEqual({});
  expect(sessionStorage['deskhand.draft contact']).toBe('{}');
});

it.each([
  ['is stored under its key', 'contact', 1],
  ['is stored nowhere without a key', undefined, 0],
])('a form %s', (_, key, stored) => {
  const { result } = form(key, ana);
  act(() => result.current.change({ name: 'Ben' }));
  expect(result.current.values.name).toBe('Ben');
  expect(sessionStorage).toHaveLength(stored);
});
