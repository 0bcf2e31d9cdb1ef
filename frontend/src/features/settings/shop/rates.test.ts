import { describe, expect, it } from 'vitest';
import { idFor } from './rates';

describe('an id for something new', () => {
  it('is made of its name', () => expect(idFor('Express, 2 days', [])).toBe('express-2-days'));
  it('is unlike those that are taken', () => expect(idFor('Express', ['express', 'express-2'])).toBe('express-3'));
  it('is there for any name', () => expect(idFor('速達', [])).toBe('new'));
});
