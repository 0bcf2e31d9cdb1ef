// Fails when the code that was built names a class of Mantine whose styles were
// not, when styles were built that no code names, or when a part of the window has its
// styles before Mantine's, which would win over them. Reads dist/, so build first.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
const classes = (text) => new Set(text.match(/\bm_[0-9a-f]{5,8}\b/g));
const built = (kind) =>
  readdirSync(at('../dist/assets'))
    .filter((name) => name.endsWith(kind))
    .map((name) => readFileSync(at(`../dist/assets/${name}`), 'utf8'))
    .join('\n');

const named = classes(built('.js'));
const css = built('.css');
const styled = classes(css);
const styles = at('../node_modules/@mantine/core/styles/');
const components = readdirSync(styles)
  .filter((name) => name.endsWith('.css') && !name.endsWith('.layer.css'))
  .map((name) => ({ name, has: [...classes(readFileSync(styles + name, 'utf8'))] }))
  .filter(({ has }) => has.length > 0);

const missing = components.filter(({ has }) => has.some((name) => named.has(name) && !styled.has(name)));
const idle = components.filter(
  ({ has }) => has.some((name) => styled.has(name)) && !has.some((name) => named.has(name)),
);
const own = css.search(/\._\w+_\w{5}_\d+/); // the first class of a module of ours
const late = components.filter(({ has }) => has.some((name) => css.indexOf(`.${name}`) > own));
for (const { name } of missing) console.log(`src/ui/theme/mantine.ts lacks ${name}`);
for (const { name } of idle) console.log(`src/ui/theme/mantine.ts has ${name}, which no code needs any more`);
for (const { name } of late) console.log(`${name} stands after the styles of the window's parts`);
process.exit(missing.length + idle.length + late.length > 0 ? 1 : 0);
