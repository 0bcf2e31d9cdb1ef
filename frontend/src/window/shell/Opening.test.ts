import { readFileSync } from 'node:fs';
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { theme, variables } from '../../ui/theme/theme';

const page = readFileSync(new URL('../../../index.html', import.meta.url), 'utf8');
const of = mergeMantineTheme(DEFAULT_THEME, theme);

/** The values index.html gives the names that begin with --opening, in the rule of a selector. */
function painted(selector: string): Record<string, string> {
  const rule = page.slice(page.indexOf(`${selector} {`)).split('}')[0] ?? '';
  return Object.fromEntries([...rule.matchAll(/--opening-(\w+): (#\w+);/g)].map(([, name, value]) => [name, value]));
}

describe('what is painted before there is code', () => {
  it.each([
    [':root', of.colors.gray[3], variables(of).light],
    [':root[data-mantine-color-scheme="dark"]', of.colors.dark[4], variables(of).dark],
  ])('has the colours of the window: %s', (selector, mark, tokens) => {
    expect(painted(selector)).toEqual({
      page: tokens['--dh-page'],
      surface: tokens['--dh-surface'],
      line: tokens['--dh-line'],
      mark,
    });
  });
});
