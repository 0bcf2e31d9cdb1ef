import { defineConfig } from '@lingui/cli';
import type { CatalogFormatter } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

const tests = ['**/*.test.ts', '**/*.test.tsx'];

const po = formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: true });

/** The catalogues in the order of their English words, by code unit: an extraction moves nothing, and two branches meet in few lines. */
const sorted: CatalogFormatter = {
  ...po,
  serialize: (catalog, context) =>
    po.serialize(
      Object.fromEntries(
        Object.entries(catalog)
          .map(([id, entry]) => [entry.message ?? id, id, entry] as const)
          .sort(([a, aId], [b, bId]) => (a < b ? -1 : a > b ? 1 : aId < bId ? -1 : 1))
          .map(([, id, entry]) => [id, entry]),
      ),
      context,
    ),
};

/*
 * Two catalogues: of the page kit, for any application, and of the shop. The English words are their keys: the code
 * reads as the window does, and English needs no file.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/src/language/{locale}',
      include: ['language', 'ui', 'bridge', 'queries', 'kit'].map((tier) => `src/${tier}`),
      exclude: tests,
    },
    {
      path: '<rootDir>/src/shop/{locale}',
      include: ['shop', 'features', 'window'].map((tier) => `src/${tier}`),
      exclude: [...tests, 'src/shop/fake/**'],
    },
  ],
  format: sorted,
});
