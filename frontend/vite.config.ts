import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { lengths } from './scripts/lengths.mjs';

/** Vite's development server needs inline scripts; what is built has the policy as it stands. */
const policyOnlyWhenBuilt: Plugin = {
  name: 'policy-only-when-built',
  apply: 'serve',
  transformIndexHtml: (html) => html.replace(/<meta\s+http-equiv="Content-Security-Policy"[^>]*>/, ''),
};

/** Imports each icon from its own file: the package's index loads 6 000 of them. */
const icons: Plugin = {
  name: 'icons',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/, code: '@tabler/icons-react' },
    handler: (code) =>
      code.replace(/import \{([^}]+)\} from '@tabler\/icons-react';/g, (_, names: string) =>
        names.replace(/\s*(\w+)\s*(?:,|$)/g, "import $1 from '@tabler/icons-react/dist/esm/icons/$1.mjs';"),
      ),
  },
};

const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** What asks a bundler about its modules. */
type Modules = { getModuleInfo: (id: string) => { importedIds: readonly string[] } | null };

/** A module and all that comes with it. */
function withImports(entry: string, modules: Modules): Set<string> {
  const found = new Set([entry]);
  for (const id of found) for (const next of modules.getModuleInfo(id)?.importedIds ?? []) found.add(next);
  return found;
}

/**
 * The language that the window waits for, and what the window is opened with, are
 * one file each: a desk of sixty small ones would be fetched one after the other.
 */
function inOne(entry: string, name: string, priority: number) {
  let all: Set<string> | undefined;
  const belongs = (id: string, modules: Modules) => {
    all ??= withImports(here(entry), modules);
    return all.has(id) && id !== here(entry) ? name : null;
  };
  return { name: belongs, debugName: name, priority };
}

const groups = [inOne('./src/window/main.tsx', 'language', 2), inOne('./src/window/Window.tsx', 'window', 1)];

/**
 * The window waits for its language; its code is fetched meanwhile. The styles stand
 * behind what is painted first, which does not wait for them, and before everything else.
 */
const windowAhead: Plugin = {
  name: 'window-ahead',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle = {} }) => {
      const [styles = ''] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? [];
      const code = Object.values(bundle).filter((file) => file.type === 'chunk' && file.name === 'window');
      return {
        html: html.replace(styles, '').replace('<!-- styles -->', styles),
        tags: code.map(({ fileName }) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${fileName}` },
          injectTo: 'head' as const,
        })),
      };
    },
  },
};

/** WebKit keeps a script with one character beyond Latin-1 in twice the memory. */
const latin: Plugin = {
  name: 'latin',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk')
          file.code = file.code.replace(/[^\0-\xff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
    },
  },
};

/**
 * Test files share the modules of a process, which take longer to load than the tests to run. Vitest ends the process
 * when the next file needs another environment, so each environment is a project, and projects run in their order. A file
 * that changes what modules keep, such as the language, has a process to itself.
 */
const tests: Record<'dom' | 'node' | 'alone', string[]> = { dom: [], node: [], alone: [] };
for (const folder of ['src', 'scripts'])
  for (const file of readdirSync(here(folder), { recursive: true, encoding: 'utf8' })) {
    if (!/\.test\.tsx?$/.test(file)) continue;
    const path = `${folder}/${file.replaceAll('\\', '/')}`;
    const text = readFileSync(here(path), 'utf8');
    if (/i18n\.(load|activate)|speak\(|vi\.(do)?[Mm]ock\(|resetModules|localStorage/.test(text)) tests.alone.push(path);
    else tests[text.includes('@vitest-environment jsdom') ? 'dom' : 'node'].push(path);
  }

export default defineConfig({
  plugins: [icons, react(), lingui(), policyOnlyWhenBuilt, windowAhead, latin],
  base: './',
  css: { postcss: { plugins: [lengths] } },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0, // the CSP has no data: fonts
    cssCodeSplit: false, // WebKit paints nothing while styles that were added are on their way
    chunkSizeWarningLimit: 900,
    manifest: true, // read by scripts/check-size.mjs
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  test: {
    projects: [
      { extends: true, test: { name: 'alone', include: tests.alone } },
      { extends: true, test: { name: 'dom', include: tests.dom, isolate: false, sequence: { groupOrder: 1 } } },
      { extends: true, test: { name: 'node', include: tests.node, isolate: false, sequence: { groupOrder: 2 } } },
    ],
    css: false,
    execArgv: ['--max-semi-space-size=64'], // pages are built and dropped: the young generation holds one
    experimental: { fsModuleCache: true }, // in node_modules/.experimental-vitest-cache
    setupFiles: ['scripts/vitest-setup.ts'],
    maxWorkers: '100%', // one core is not left idle
    testTimeout: 60_000, // only cuts off what hangs
  },
});
