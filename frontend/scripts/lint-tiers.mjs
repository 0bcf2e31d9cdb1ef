// Keeps the tiers of src/ apart: a file uses its own tier and those above it in the
// list; a feature never imports another feature; one file reaches the application;
// only tests import the fake; no file imports itself by way of others. Prints what it
// finds and fails on any of it.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const TIERS = ['language', 'ui', 'door', 'asking', 'kit', 'shop', 'features', 'window'];
const REACHES_APPLICATION = 'door/wailsBackend.ts'; // and its test

const src = fileURLToPath(new URL('../src', import.meta.url));
const imports = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;
const reachesApplication = /wailsjs|\bwindow\s*(?:\.|\[['"])\s*(?:go|runtime)\b|\bEventsOn\b/;

const problems = [];
const files = new Map();
for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(tsx?|css)$/.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  files.set(relative(src, path), readFileSync(path, 'utf8'));
}

const tierOf = (name) => TIERS.indexOf(name.split('/')[0]);
const featureOf = (name) => (name.startsWith('features/') ? name.split('/')[1] : undefined);
const isFake = (name) => name.startsWith('door/fake/');
const isTest = (name) => /\.test\.tsx?$/.test(name) || isFake(name);

/** The files of src/ that a file imports. */
function importsOf(name) {
  if (name.endsWith('.css')) return [];
  const found = [];
  for (const [, target] of files.get(name).matchAll(imports)) {
    if (!target.startsWith('.')) continue;
    const path = relative(src, resolve(src, dirname(name), target));
    const file = [path, `${path}.ts`, `${path}.tsx`].find((known) => files.has(known));
    if (path.startsWith('..')) problems.push(`${name}: imports ${target}, outside of src/`);
    else if (file) found.push(file);
  }
  return found;
}

for (const [name, text] of files) {
  if (tierOf(name) < 0) problems.push(`${name}: lies in none of ${TIERS.join('/, ')}/`);
  if (name.replace('.test.', '.') !== REACHES_APPLICATION && reachesApplication.test(text))
    problems.push(`${name}: only ${REACHES_APPLICATION} may reach the application`);
  for (const used of importsOf(name)) {
    if (tierOf(used) > tierOf(name)) problems.push(`${name}: ${TIERS[tierOf(name)]}/ must not import ${used}`);
    if (featureOf(name) && featureOf(used) && featureOf(name) !== featureOf(used))
      problems.push(`${name}: the feature ${featureOf(name)} must not import ${used}`);
    if (isFake(used) && !isTest(name)) problems.push(`${name}: only tests may import the fake`);
  }
}

/** Follows the imports of a file; `way` is how it was reached. */
const checked = new Set();
function findCircles(name, way) {
  const from = way.indexOf(name);
  if (from >= 0) problems.push(`a circle: ${[...way.slice(from), name].join(' -> ')}`);
  if (from >= 0 || checked.has(name)) return;
  for (const used of importsOf(name)) findCircles(used, [...way, name]);
  checked.add(name);
}
for (const name of files.keys()) findCircles(name, []);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('The tiers of src/ hold, and no file imports itself.');
