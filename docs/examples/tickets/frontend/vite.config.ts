import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  plugins: [react()],
  base: './',
  // Arguments are validated in Go: the forms need no validator that evaluates code.
  resolve: { alias: { '@rjsf/validator-ajv8': '@deskhand/kit/kit/palette/validator' } },
});
