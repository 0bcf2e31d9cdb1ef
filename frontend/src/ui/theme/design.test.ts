import { readFileSync } from 'node:fs';
import { DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core';
import { describe, expect, it } from 'vitest';
import { theme, variables } from './theme';

const document = readFileSync('../docs/design.md', 'utf8');
const css = readFileSync('src/ui/theme/global.css', 'utf8');

type Values = Record<string, string>;

/** The variables that a rule of the global style sheet sets. */
function rule(selector: string): Values {
  const from = css.indexOf(`${selector} {`);
  expect(from, `${selector} is in global.css`).toBeGreaterThanOrEqual(0);
  const body = css.slice(css.indexOf('{', from) + 1, css.indexOf('}', from));
  return Object.fromEntries([...body.matchAll(/(--[\w-]+):\s*([^;]+);/g)].map(([, name, value]) => [name, value]));
}

const merged = mergeMantineTheme(DEFAULT_THEME, theme);
const given = defaultCssVariablesResolver(merged);
const own = variables(merged);

/** Every variable as it is in a scheme, the later ones over the earlier. */
function scheme(of: 'light' | 'dark', contrast: boolean): Values {
  return {
    ...given.variables,
    ...given[of],
    ...own.variables,
    ...own[of],
    ...(contrast && {
      ...rule(':root[data-contrast][data-mantine-color-scheme]'),
      ...rule(`:root[data-contrast][data-mantine-color-scheme="${of}"]`),
    }),
  };
}

const schemes = {
  light: scheme('light', false),
  dark: scheme('dark', false),
  contrastLight: scheme('light', true),
  contrastDark: scheme('dark', true),
};

/** The colour a token comes to, as six digits. */
function colour(values: Values, token: string): string {
  const value = values[token] ?? '';
  const reference = /^var\((--[\w-]+)\)$/.exec(value)?.[1];
  if (reference) return colour(values, reference);
  const short = /^#([\da-f])([\da-f])([\da-f])$/i.exec(value);
  const digits = short
    ? `#${short
        .slice(1)
        .map((digit) => digit + digit)
        .join('')}`
    : value;
  expect(digits, `${token} is a colour`).toMatch(/^#[\da-f]{6}$/i);
  return digits.toLowerCase();
}

/** How bright a colour is, as WCAG 2 reckons it. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5]
    .map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function ratio(values: Values, front: string, back: string): number {
  const [one, other] = [luminance(colour(values, front)), luminance(colour(values, back))];
  const [dim, bright] = one < other ? [one, other] : [other, one];
  return Math.floor(((bright + 0.05) / (dim + 0.05)) * 10) / 10;
}

/** The cells of the table rows under a heading, without their quotes. */
function rowsUnder(heading: string): string[][] {
  const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `--'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replaceAll('`', '')),
    );
}

/** A text as a part of a pattern. */
function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Which texts stand on which surface, and which edges and marks: [front, back, least contrast]. */
const contrasts: [string, string, number][] = [
  ['--mantine-color-text', '--dh-surface', 4.5],
  ['--mantine-color-text', '--dh-page', 4.5],
  ['--mantine-color-text', '--dh-sunken', 4.5],
  ['--mantine-color-text', '--dh-hover', 4.5],
  ['--mantine-color-text', '--dh-active', 4.5],
  ['--mantine-color-text', '--dh-warn-surface', 4.5],
  ['--mantine-color-text', '--dh-added-surface', 4.5],
  ['--mantine-color-dimmed', '--dh-surface', 4.5],
  ['--mantine-color-dimmed', '--dh-page', 4.5],
  ['--mantine-color-dimmed', '--dh-sunken', 4.5],
  ['--mantine-color-dimmed', '--dh-hover', 4.5],
  ['--mantine-color-dimmed', '--dh-active', 4.5],
  ['--mantine-color-dimmed', '--dh-warn-surface', 4.5],
  ['--mantine-color-placeholder', '--dh-surface', 4.5],
  ['--mantine-color-error', '--dh-surface', 4.5],
  ['--dh-accent', '--dh-surface', 4.5],
  ['--dh-accent', '--dh-active', 4.5],
  ['--dh-accent', '--dh-sunken', 4.5],
  ['--dh-added', '--dh-surface', 4.5],
  ['--dh-added', '--dh-sunken', 4.5],
  ['--dh-added', '--dh-added-surface', 4.5],
  ['--dh-removed', '--dh-surface', 4.5],
  ['--dh-removed', '--dh-sunken', 4.5],
  ['--dh-warn', '--dh-surface', 4.5],
  ['--dh-warn', '--dh-warn-surface', 4.5],
  ['--dh-control', '--dh-surface', 3],
  ['--dh-accent', '--dh-surface', 3],
  ['--dh-accent', '--dh-page', 3],
  ['--dh-warn-line', '--dh-surface', 3],
  ['--dh-warn-line', '--dh-sunken', 3],
];

/** What no change may cost: the file of the test that holds it, and its title. */
const kept: [string, string][] = [
  ['e2e/card.spec.ts', 'what changed while the card was open voids the answer, and the next card says what'],
  ['src/kit/approvals/Approvals.test.tsx', 'leaves the focus with what is being typed elsewhere'],
  ['e2e/keys.spec.ts', 'several carts wait, and each is gone on with'],
  ['e2e/order.spec.ts', 'by keyboard only: F3, F2, F9'],
  ['src/ui/form/ActionButton.test.tsx', 'that cannot be used stays within reach, says why, and does nothing'],
  ['e2e/audit.spec.ts', 'what was done is undone from its trace, once, and a conflict is told in words'],
  ['e2e/copies.spec.ts', 'a copy is written and put back: what came after it is gone'],
  ['../audit/copy_restore_test.go', 'TestARestoreReplacesAllAndIsItsFirstNewRecord'],
  ['e2e/catalog.spec.ts', 'a file is looked at before it is imported, and its mistakes are named by line'],
  ['e2e/drop.spec.ts', 'on the counter too, beside the assistant: without a row that cannot be taken'],
  ['../shop/search_test.go', 'TestCustomersAreFound'],
  [
    'src/kit/approvals/Approvals.test.tsx',
    'shows every value with where it came from, names for ids, and what changed',
  ],
  ['e2e/look.spec.ts', 'everything in the list is looked at, and nothing else'],
  ['e2e/language.spec.ts', 'German, chosen in the settings, everywhere; and English again'],
];

describe('docs/design.md', () => {
  it('names every token of the window, with its colours', () => {
    const told = rowsUnder('Colours').map(([token, , light, dark]) => [token, light, dark]);
    const names = Object.keys(own.light).filter((name) => name.startsWith('--dh-'));
    expect(told).toEqual(names.map((name) => [name, colour(schemes.light, name), colour(schemes.dark, name)]));
  });

  it('lets each text and mark stand out far enough', () => {
    for (const [front, back, least] of contrasts)
      for (const [name, values] of Object.entries(schemes))
        expect.soft(ratio(values, front, back), `${front} on ${back}, ${name}`).toBeGreaterThanOrEqual(least);
  });

  it('names the sizes of type and space as they are', () => {
    const told = [...document.matchAll(/^\| (type|space|corner) `(\w+)` \| (\d+px) /gm)];
    const sizes = { type: theme.fontSizes, space: theme.spacing, corner: theme.radius };
    expect(told.map(([, kind, name, size]) => [kind, name, size])).toEqual(
      Object.entries(sizes).flatMap(([kind, of]) =>
        Object.entries(of ?? {}).map(([name, size]) => [
          kind,
          name,
          `${16 * Number.parseFloat(String(size).slice(5))}px`,
        ]),
      ),
    );
  });

  it('has a test for all that no change may cost', () => {
    for (const [file, title] of kept)
      expect
        .soft(readFileSync(file, 'utf8'), `${file} has no test “${title}”`)
        .toMatch(new RegExp(`(test|it)\\('${escaped(title)}'|func ${escaped(title)}\\(`));
  });

  it('speaks of no token that is not there', () => {
    const named = [...document.matchAll(/`(--(?:dh|mantine)-[\w-]+)`/g)].map(([, token = '']) => token);
    expect(named.filter((token) => !(token in schemes.light))).toEqual([]);
  });
});
