import { describe, expect, it } from 'vitest';
import { lengths } from './lengths.mjs';

/** A declaration as the plug-in leaves it. */
function written(value: string): string {
  const declaration = { value };
  lengths.Declaration(declaration);
  return declaration.value;
}

describe('lengths', () => {
  it.each([
    ['44px', '2.75rem'],
    ['-40px', '-2.5rem'],
    ['2px solid var(--dh-line)', '2px solid var(--dh-line)'],
    ['clamp(340px, 30vw, 440px)', 'clamp(21.25rem, 30vw, 27.5rem)'],
    ['calc(88px + 2 * var(--gap-8px))', 'calc(5.5rem + 2 * var(--gap-8px))'],
    ['3px 5px', '3px 0.3125rem'],
    ['7.5px', '0.46875rem'],
  ])('are in rem, but for lines: %s', (px, rem) => expect(written(px)).toBe(rem));

  it('ask a container for rem as well', () => {
    const rule = { params: 'page (max-width: 560px)' };
    lengths.AtRule.container(rule);
    expect(rule.params).toBe('page (max-width: 35rem)');
  });
});
