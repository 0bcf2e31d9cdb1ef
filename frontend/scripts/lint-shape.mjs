// Keeps the files of src/ readable: none is longer than a few screens, the
// components short in the middle, and nothing is of any type. What is generated
// may be long. An object with keys from data is read by own(), never by its index.
// The registry of keys is the only listener of the keyboard beside handlers of elements.
// A flow of e2e/ types with typeText: at the pace of keyboard.type the window hears a scanner.
// Prints what it finds and fails on any of it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const LONGEST_FILE = 400;
const MEDIAN_COMPONENT = 120;
const keyListener = /(?:window|document\w*)\.addEventListener\('key|\b(?:useHotkeys|getHotkeyHandler)\b/;
const src = fileURLToPath(new URL('../src', import.meta.url));
const anyType = /(?:[:<|&,(]|\bas)\s*any\b(?!\s*[:=?(])|noExplicitAny/;
const openObject = /\b(\w+)\??\s*:\s*(?:(?:Readonly|Partial|Required)<)*(?:Record<string,|JsonObject\b(?!\[))/g;
const indexed = /\b(\w+)(?:\?\.)?\[(?!''|\d|\])[^\]]+\]|\bas (?:\w+<)*Record<string[^)]*\)(?:\?\.)?\[/g;

const problems = [];
const components = [];
for (const entry of readdirSync(src, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(tsx?|css)$/.test(entry.name)) continue;
  const path = join(entry.parentPath ?? entry.path, entry.name);
  const name = relative(src, path);
  const code = readFileSync(path, 'utf8').trimEnd().split('\n');
  const generated = entry.name.endsWith('.gen.ts');
  const isTest = /\.test\.tsx?$/.test(name);
  if (code.length > LONGEST_FILE && !generated)
    problems.push(`${name}: ${code.length} lines, more than ${LONGEST_FILE}`);
  if (entry.name.endsWith('.tsx') && !isTest) components.push(code.length);
  if (entry.name.endsWith('.css')) continue;
  const open = new Set([...code.join('\n').matchAll(openObject)].map(([, object]) => object));
  for (const [at, line] of code.entries()) {
    if (/^\s*(\/\/|\/?\*)/.test(line)) continue; // words, in a comment
    const bare = line.replace(/'[^']*'|`[^`]*`/g, "''");
    if (keyListener.test(line) && !isTest && name !== 'ui/keys/registry.ts')
      problems.push(`${name}:${at + 1}: listens to keys beside the registry`);
    if (anyType.test(bare)) problems.push(`${name}:${at + 1}: is of any type`);
    if (generated || isTest || name.startsWith('shop/fake/') || name === 'language/own.ts') continue;
    for (const [access, object] of bare.matchAll(indexed))
      if (object === undefined || open.has(object))
        problems.push(`${name}:${at + 1}: ${access} may be inherited: use own()`);
  }
}

const flows = fileURLToPath(new URL('../e2e', import.meta.url));
for (const name of readdirSync(flows).filter((file) => file.endsWith('.ts') && file !== 'desk.ts'))
  if (readFileSync(join(flows, name), 'utf8').includes('keyboard.type(')) problems.push(`e2e/${name}: use typeText()`);

components.sort((a, b) => a - b);
const median = components[Math.floor(components.length / 2)];
if (median > MEDIAN_COMPONENT)
  problems.push(`half of the components have more than ${median} lines, of ${MEDIAN_COMPONENT}`);

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log(`Files are short: half of ${components.length} components have ${median} lines or fewer.`);
