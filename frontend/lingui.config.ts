import { defineConfig } from '@lingui/cli';
import { formatter } from '@lingui/format-po';

/* One catalogue. The English words are its keys: the code reads as the window does, and English needs no file. */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['de'],
  catalogs: [
    {
      path: '<rootDir>/src/language/{locale}',
      include: ['src'],
      exclude: ['**/*.test.ts', '**/*.test.tsx', 'src/door/fake/**'],
    },
  ],
  format: formatter({ lineNumbers: false, origins: false, explicitIdAsDefault: true }),
  orderBy: 'message',
});
