// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { JsonObject } from '../../bridge/wire';
import { useValues } from './useValues';

const text = { type: 'string' };
const secret = { type: 'string', writeOnly: true };
const form = (properties: JsonObject) =>
  renderHook(() => useValues({ name: 'staff.setPin', input_schema: { type: 'object', properties } })).result;

beforeEach(() => sessionStorage.clear());

it('what is typed in a form is there when the page is loaded anew', () => {
  const { current } = form({ staffId: text });
  act(() => current.setValues({ staffId: 'mara' }));
  current.keys.keyFor({ staffId: 'mara' });
  expect(JSON.stringify({ ...sessionStorage })).toContain('mara');
  expect(sessionStorage).toHaveLength(2);
});

it.each([
  ['a secret', { staffId: text, pin: secret }],
  ['one further in', { values: { type: 'object', properties: { pin: secret } } }],
  ['one in a list', { hooks: { type: 'array', items: { type: 'object', properties: { pin: secret } } } }],
])('nothing of a form with %s is kept', (_, properties) => {
  const result = form(properties);
  act(() => result.current.setValues({ staffId: 'mara', pin: '4711' }));
  result.current.keys.keyFor(result.current.values);
  expect(result.current.values).toEqual({ staffId: 'mara', pin: '4711' });
  expect(sessionStorage).toHaveLength(0);
});
