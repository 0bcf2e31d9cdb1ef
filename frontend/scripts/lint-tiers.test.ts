import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let src: string;
beforeEach(() => {
  src = mkdtempSync(join(tmpdir(), 'tiers-'));
});
afterEach(() => rmSync(src, { recursive: true }));

/** What the lint finds in these files: "" when nothing is wrong. */
function lint(files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(src, name)), { recursive: true });
    writeFileSync(join(src, name), text);
  }
  try {
    execFileSync('node', ['scripts/lint-tiers.mjs', src], { stdio: 'pipe' });
    return '';
  } catch (thrown) {
    return String((thrown as { stderr: Buffer }).stderr);
  }
}

describe('the page kit', () => {
  const shop = { 'shop/goods.ts': 'export const goods = 1;' };

  it('is for any application', () =>
    expect(lint({ ...shop, 'kit/card.ts': '// An order, in a comment.\nexport const sentence = "Close it?";' })).toBe(
      '',
    ));
  it('imports nothing of the shop', () =>
    expect(lint({ ...shop, 'kit/card.ts': "import { goods } from '../shop/goods';\nexport default goods;" })).toContain(
      'kit/card.ts: kit/ must not import shop/goods.ts',
    ));
  it.each([
    ['language/words.ts', 'export const word = "2 orders";', 'order'],
    ['ui/row.tsx', 'export const Row = () => <b>Cart</b>;', 'cart'],
    ['bridge/client.ts', 'export interface One {\n  productId: string;\n}', 'product'],
    ['queries/stale.ts', 'export const dependencies = { checkout: [] };', 'checkout'],
    ['kit/names.ts', 'export const useCustomerName = () => undefined;', 'customer'],
    ['ui/dialog.ts', 'export const approvalOpen = 1;', 'approval'],
  ])('%s has no word of the shop, nor the parts of the window one of the assistant', (name, text, word) =>
    expect(lint({ [name]: text })).toContain(`${name}: “${word}” is no word of ${name.split('/')[0]}/`),
  );
  it('has a hook for what an agent is told of the window', () =>
    expect(lint({ 'ui/context.ts': 'export function useAgentContext(): void {}' })).toBe(''));
});

describe('the application', () => {
  it('speaks of the shop', () => expect(lint({ 'features/cart.ts': 'export const cart = 1;' })).toBe(''));
  it('imports the fake in tests alone', () => {
    const fake = { 'shop/fake/backend.ts': 'export const backend = 1;' };
    const use = "import { backend } from '../shop/fake/backend';\nexport default backend;";
    expect(lint({ ...fake, 'kit/card.test.ts': use })).toBe('');
    expect(lint({ ...fake, 'window/main.ts': use })).toContain('only tests may import the fake');
  });
});
