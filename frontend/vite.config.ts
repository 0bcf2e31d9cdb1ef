import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';

const stub = fileURLToPath(new URL('./src/features/palette/validator.ts', import.meta.url));

export default defineConfig({
  plugins: [react()],
  // @rjsf/core imports its own validator; arguments are validated in Go, and ajv would need eval.
  resolve: { alias: { '@rjsf/validator-ajv8': stub } },
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the CSP has no data: fonts
    chunkSizeWarningLimit: 700,
    manifest: true, // read by scripts/check-size.mjs
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}'],
    css: false,
  },
});
