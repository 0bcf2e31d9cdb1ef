import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';

const stub = fileURLToPath(new URL('./src/features/palette/validator.ts', import.meta.url));

/** Vite's development server needs inline scripts; what is built has the policy as it stands. */
const policyOnlyWhenBuilt: Plugin = {
  name: 'policy-only-when-built',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

export default defineConfig({
  plugins: [react(), lingui(), policyOnlyWhenBuilt],
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
