// Keeps the tiers of src/ apart: only bus/ reaches the application, a feature
// never imports another feature, ui/ imports neither, language/ nothing, and
// nothing but tests imports a fake. Prints what it finds and fails on any of it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const src = fileURLToPath(new URL('../src', import.meta.url));
const imports = /(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g;
const reachesApplication = /wailsjs|\bwindow\s*(?:\.|\[['"])\s*(?:go|runtime)\b|\bEventsOn\b/;

/** The tier a file belongs to: "ui", "bus", "features/chat" or "app". */
function tierOf(path) {
  const [top, feature] = relative(src, path).split('/');
  if (top === 'features') return `features/${feature}`;
  return ['ui', 'bus', 'language'].includes(top) ? top : 'app';
}

function allowed(from, to) {
  if (from === to || from === 'app') return true;
  if (to === 'language') return true;
  if (from === 'language') return false;
  if (from === 'ui') return false;
  if (from === 'bus') return to === 'ui';
  return to === 'ui' || to === 'bus';
}

const problems = [];
for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.tsx?$/.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = relative(src, path);
  const from = tierOf(path);
  const isTest = /\.test\.tsx?$/.test(name) || name.startsWith('bus/fake/');
  const text = readFileSync(path, 'utf8');
  if (from !== 'bus' && reachesApplication.test(text)) problems.push(`${name}: only bus/ may reach the application`);
  for (const [, target] of text.matchAll(imports)) {
    if (!target.startsWith('.')) continue;
    const to = resolve(dirname(path), target);
    if (!to.startsWith(src)) problems.push(`${name}: imports ${target}, outside of src/`);
    else if (!allowed(from, tierOf(to))) problems.push(`${name}: ${from} must not import ${tierOf(to)}`);
    if (!isTest && relative(src, to).startsWith('bus/fake')) problems.push(`${name}: only tests may import the fake`);
  }
}

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('The tiers of src/ hold.');
