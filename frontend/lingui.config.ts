import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

const tests = ['**/*.test.ts', '**/*.test.tsx'];

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
      include: ['language', 'ui', 'door', 'asking', 'kit'].map((tier) => `src/${tier}`),
      exclude: tests,
    },
    {
      path: '<rootDir>/src/shop/{locale}',
      include: ['shop', 'features', 'window'].map((tier) => `src/${tier}`),
      exclude: [...tests, 'src/shop/fake/**'],
    },
  ],
  format: formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: true }),
  orderBy: 'message',
});
