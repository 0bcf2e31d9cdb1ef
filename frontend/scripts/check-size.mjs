// Adds up, compressed, what the page loads before it can be used, and fails when it
// is more than it may be, or when a script has a character for which WebKit would keep
// all of it in two bytes each. Reads dist/, so build first.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const LIMIT_KB = 350;
const dist = fileURLToPath(new URL('../dist/', import.meta.url));
const chunks = JSON.parse(readFileSync(`${dist}.vite/manifest.json`, 'utf8'));

/** The files of a chunk and of everything it imports at once. */
function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, imports = [] } = chunks[key];
  return [file, ...imports.flatMap((next) => filesOf(next, seen))];
}

// The page loads the styles and the window's language, and then, always, the window.
const seen = new Set();
const files = ['style.css', 'index.html', 'src/window/Window.tsx'].flatMap((key) => filesOf(key, seen));
const loaded = [...new Set(files)];
let total = 0;
for (const file of loaded) {
  const kb = gzipSync(readFileSync(dist + file)).length / 1024;
  total += kb;
  console.log(`${kb.toFixed(1).padStart(7)} KB  ${file}`);
}
console.log(`${total.toFixed(1).padStart(7)} KB  in all, of ${LIMIT_KB} KB`);
const wide = readdirSync(`${dist}assets`).filter(
  (name) => name.endsWith('.js') && /[^\0-\xff]/.test(readFileSync(`${dist}assets/${name}`, 'utf8')),
);
for (const name of wide) console.log(`${name} has characters beyond Latin-1`);
process.exit(total > LIMIT_KB || wide.length > 0 ? 1 : 0);
