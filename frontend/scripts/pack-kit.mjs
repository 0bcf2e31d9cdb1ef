// Builds the page kit, which is the first five tiers of src/, and packs it for npm: into build/bin/deskhand-kit.tgz.
// What it depends on has the versions of the page itself. The types are made without the rest of src/, so that nothing
// of the shop is needed. Usage: pack-kit.mjs [FILE]
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { build } from 'vite';
import { lengths } from './lengths.mjs';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const [src, bin] = [at('../src'), at('../../build/bin')];
const target = resolve(process.argv[2] ?? join(bin, 'deskhand-kit.tgz'));
const out = `${target}.d`;
const TIERS = ['language', 'ui', 'bridge', 'queries', 'kit'];

process.chdir(at('..'));
rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

const modules = TIERS.flatMap((tier) =>
  readdirSync(join(src, tier), { recursive: true, withFileTypes: true })
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter((path) => /\.tsx?$/.test(path) && !/\.(test\.tsx?|d\.ts)$|spoken\.gen\.ts$/.test(path)),
);
/** Builds the modules, with their styles in one file, and tells which packages they import. */
async function library(entry, outDir) {
  const outside = new Set();
  await build({
    configFile: false, // the one of the page is for one page
    logLevel: 'error',
    plugins: [react(), lingui()],
    css: { postcss: { plugins: [lengths] } },
    build: {
      ...{ outDir, copyPublicDir: false, cssCodeSplit: false, minify: false },
      lib: { entry, formats: ['es'], cssFileName: 'style' },
      rolldownOptions: {
        external: (id) => {
          const bare = /^(@[^/]+\/)?[a-z][^/:]*/.exec(id)?.[0];
          if (!bare || id.endsWith('.css')) return false;
          outside.add(bare);
          return true;
        },
        output: { preserveModules: true, preserveModulesRoot: src, entryFileNames: '[name].js' },
      },
    },
  });
  return outside;
}

const styles = join(src, 'ui/theme/styles.ts');
const outside = await library(
  modules.filter((path) => !path.startsWith(join(src, 'ui/theme/')) || path.endsWith('/theme.ts')),
  out,
);
// The styles of the library and of the page's own elements stand before those of its parts.
await library([styles], join(out, 'base'));
const css = [join(out, 'base/style.css'), join(out, 'style.css')].map((path) => readFileSync(path, 'utf8'));
writeFileSync(join(out, 'style.css'), css.join('\n'));
rmSync(join(out, 'base'), { recursive: true });
execFileSync('npx', ['tsc', '-p', 'kit', '--outDir', out], { stdio: 'inherit' });

const page = JSON.parse(readFileSync('package.json', 'utf8'));
const kit = JSON.parse(readFileSync('kit/package.json', 'utf8'));
const dependencies = [...outside].filter((name) => !(name in kit.peerDependencies)).sort();
kit.dependencies = Object.fromEntries(dependencies.map((name) => [name, page.dependencies[name]]));
writeFileSync(join(out, 'package.json'), `${JSON.stringify(kit, null, 2)}\n`);
for (const file of ['kit/README.md', '../LICENSE']) cpSync(file, join(out, file.replace(/.*\//, '')));

const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', bin], { cwd: out }).toString().trim();
renameSync(join(bin, packed.split('\n').at(-1)), target);
rmSync(out, { recursive: true });
console.log(`${relative(process.cwd(), target)}: ${modules.length} modules`);
