import { describe, expect, it } from 'vitest';
import { isOvertaken, placeOf } from './navigation';

describe('placeOf', () => {
  it('is a page, and what is shown on it', () =>
    expect(placeOf(['orders', '#W1'])).toEqual({ page: 'orders', id: '#W1' }));
  it('is nowhere for a page that is not known', () => expect(placeOf(['constructor'])).toBeUndefined());
});

describe('isOvertaken', () => {
  it('is what the window asked for before it asked for another place', () =>
    expect(isOvertaken(['first', 'second'], 'first')).toBe(true));
  it('is not the last one, nor what somebody else asked for', () => {
    expect(isOvertaken(['first', 'second'], 'second')).toBe(false);
    expect(isOvertaken(['first'], 'theirs')).toBe(false);
    expect(isOvertaken(['first'], undefined)).toBe(false);
  });
});
