// Keeps the tiers of src/ apart: a file uses its own tier and those above it in the
// list; a feature never imports another feature; one file reaches the application;
// only tests import the fake; no file imports itself by way of others. The first five
// are the page kit, a package for any application: they have no word of the shop, and
// the parts of the window none of the assistant. Prints what it finds and fails on any
// of it. Usage: lint-tiers.mjs [FOLDER]
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from '@babel/parser';

const TIERS = ['language', 'ui', 'bridge', 'queries', 'kit', 'shop', 'features', 'window'];
const REACHES_APPLICATION = 'bridge/wailsBackend.ts'; // and its test

const KIT = TIERS.slice(0, TIERS.indexOf('shop'));
const OF_THE_SHOP = ['order', 'cart', 'checkout', 'customer', 'catalog', 'product', 'sku', 'stock', 'refund', 'parcel'];
OF_THE_SHOP.push('shop', 'till', 'clerk', 'staff', 'basket', 'receipt');
const OF_THE_AGENT = ['agent', 'assistant', 'conversation', 'chat', 'grant', 'approval'];
const ALLOWED = /\b(use)?AgentContext\b/g; // the name of the hook is the paper's

const src = resolve(process.argv[2] ?? fileURLToPath(new URL('../src', import.meta.url)));
const imports = /(?:\bfrom|\bimport)\s*\(?\s*['"]([^'"]+)['"]/g;
const reachesApplication = /\bwindow\s*(?:\.|\[['"])\s*(?:go|runtime)\b|\bEventsOn\b/;

const problems = [];
const files = new Map();
for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(tsx?|css)$/.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  files.set(relative(src, path), readFileSync(path, 'utf8'));
}

const tierOf = (name) => TIERS.indexOf(name.split('/')[0]);
const featureOf = (name) => (name.startsWith('features/') ? name.split('/')[1] : undefined);
const isFake = (name) => name.startsWith('shop/fake/');
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

/** The words of what a file names and says, in small letters and the singular; comments are none of it. */
function wordsIn(text) {
  const { tokens } = parse(text, { sourceType: 'module', plugins: ['typescript', 'jsx'], tokens: true });
  return tokens
    .filter(({ type }) => !String(type).startsWith('Comment'))
    .map(({ value }) => (typeof value === 'string' ? value.replace(ALLOWED, '') : ''))
    .flatMap((said) => said.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(/[^\p{L}]+/u))
    .map((word) => word.toLowerCase().replace(/s$/, ''));
}

/** The words that the tier of a file keeps out. */
function foreignTo(name) {
  const tier = TIERS[tierOf(name)];
  if (!KIT.includes(tier) || isTest(name) || name.endsWith('.css')) return [];
  // The sentences of the packages are English, in which things have an order.
  if (name.endsWith('spoken.gen.ts')) return OF_THE_SHOP.slice(1);
  return tier === 'ui' ? [...OF_THE_SHOP, ...OF_THE_AGENT] : OF_THE_SHOP;
}

for (const [name, text] of files) {
  if (tierOf(name) < 0) problems.push(`${name}: lies in none of ${TIERS.join('/, ')}/`);
  if (name.replace('.test.', '.') !== REACHES_APPLICATION && reachesApplication.test(text))
    problems.push(`${name}: only ${REACHES_APPLICATION} may reach the application`);
  const foreign = foreignTo(name);
  const said = foreign.length > 0 ? new Set(wordsIn(text)) : new Set();
  for (const word of foreign)
    if (said.has(word)) problems.push(`${name}: “${word}” is no word of ${TIERS[tierOf(name)]}/`);
  for (const used of importsOf(name)) {
    if (isFake(used) && isTest(name)) continue;
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
