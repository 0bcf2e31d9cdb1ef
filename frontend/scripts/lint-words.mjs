// Holds the catalogues of words to the code: every word a person reads has its
// translation, none is left over, a translation has the gaps of its original, and no
// words stand in the code itself, or are compared with translated ones.
// Prints what it finds and fails on any of it. `npm run words` writes new words in.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parse } from '@babel/parser';
import { getCatalogs } from '@lingui/cli/api';
import { getConfig } from '@lingui/conf';
import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage';

const config = getConfig({ cwd: new URL('..', import.meta.url).pathname });
const problems = [];

/** The gaps and the tags of a message, however deep they lie; those of a plural count once. */
function gapsOf(message) {
  const names = new Set(message.match(/<\/?\w+\/?>/g));
  const walk = (parts) => {
    for (const part of parts) {
      if (!Array.isArray(part)) continue;
      names.add(`{${part[0]}}`);
      for (const choice of Object.values(part[2] ?? {})) if (Array.isArray(choice)) walk(choice);
    }
  };
  walk(compileMessageOrThrow(message));
  return [...names].sort().join(' ');
}

/** What was translated already, by locale and word: one word has one translation, whichever catalogue has it. */
const translated = new Map();

for (const catalog of await getCatalogs(config)) {
  const used = Object.keys(await catalog.collect());
  for (const locale of config.locales) {
    const kept = await catalog.read(locale);
    for (const id of used) {
      const translation = kept[id]?.translation;
      if (!translation) {
        problems.push(`${locale} has no words for: ${id}`);
        continue;
      }
      const other = translated.get(`${locale} ${id}`) ?? translation;
      if (other !== translation) problems.push(`${locale} has “${other}” and “${translation}” for: ${id}`);
      translated.set(`${locale} ${id}`, translation);
      try {
        const [want, has] = [gapsOf(id), gapsOf(translation)];
        if (want !== has) problems.push(`${locale} has “${has}” and not “${want}” in: ${id}`);
      } catch (thrown) {
        problems.push(`${locale} cannot be read: ${id}: ${thrown.message}`);
      }
    }
    const known = new Set(used);
    for (const id of Object.keys(kept)) if (!known.has(id)) problems.push(`${locale} has words nobody says: ${id}`);
  }
}

/** Attributes whose words no person reads, and a name that is the same everywhere. */
const unread = new Set([
  'className',
  'id',
  'key',
  'of',
  'style',
  'aria-keyshortcuts',
  'shortcut',
  'aria-live',
  'source',
  'd',
  'viewBox',
]);
const isWords = (text) => /^\p{Lu}\p{Ll}+|\p{L}{2}\s+\p{L}{2}/u.test(text.trim()) && !properNames.has(text.trim());

/** The words that markup says without asking the catalogue. */
function bareWords(node, say) {
  if (!node || typeof node.type !== 'string') return;
  if (node.type === 'JSXText' && isWords(node.value)) say(node, node.value);
  if (node.type === 'JSXAttribute' && !unread.has(node.name.name)) chosen(node.value, say);
  if (node.type === 'JSXElement') for (const child of node.children) chosen(child, say);
  for (const [key, part] of Object.entries(node)) {
    if (key !== 'loc') for (const each of [part].flat()) bareWords(each, say);
  }
}

/** What an attribute or a child may come to be, if it is written there and not asked for. */
function chosen(node, say) {
  if (node?.type === 'StringLiteral' && isWords(node.value)) say(node, node.value);
  if (node?.type === 'JSXExpressionContainer') chosen(node.expression, say);
  if (node?.type === 'ConditionalExpression') for (const way of [node.consequent, node.alternate]) chosen(way, say);
  if (node?.type === 'LogicalExpression') for (const way of [node.left, node.right]) chosen(way, say);
  if (node?.type === 'TemplateLiteral')
    for (const { value } of node.quasis) if (isWords(value.raw)) say(node, value.raw);
}

/** Calls and constructors whose words no person reads, or that look them up. */
const asks = new Set(
  '_ t translateFromGo Error TypeError querySelector querySelectorAll closest matches includes startsWith endsWith'.split(
    ' ',
  ),
);
/** Hooks that are told which part of the window calls, for the record. */
const toldTheSource = /^use(Task|Document|RecordSearch)$/;
/** Properties and constants whose words are names for the application, its tests or the browser. */
const named = new Set([
  ...unread,
  'code',
  'type',
  'selector',
  'timeZone',
  'capability',
  'debugName',
  'fontFamilyMonospace',
]);
const keys = new Set(['Enter', 'Escape', 'Tab', 'Space', 'Shift', 'Ctrl', 'Control', 'Alt', 'Home', 'End', 'Arrow']);
/** They are the same in every language; a language is written in itself. */
const properNames = new Set(['Deskhand', 'English', 'Deutsch', 'Ollama', 'Excel']);

const nameOf = (node) => node?.name ?? node?.property?.name ?? node?.value;

/** The words outside of markup that nobody asks the catalogue for: constants, arguments, toasts; and comparisons with words. */
function strayWords(node, say) {
  if (!node || typeof node.type !== 'string') return;
  if (/^Import|^ExportAll|^TS(?!As|Satisfies|NonNull)/.test(node.type)) return;
  if (node.type === 'JSXAttribute')
    return strayWords(node.value?.type === 'JSXExpressionContainer' ? node.value : null, say);
  if (node.type.endsWith('CallExpression') || node.type === 'NewExpression') {
    if (asks.has(nameOf(node.callee)) || toldTheSource.test(nameOf(node.callee))) return;
  }
  if (node.type === 'ObjectProperty' && named.has(nameOf(node.key))) return;
  if (node.type === 'VariableDeclarator' && named.has(nameOf(node.id))) return;
  if (node.type === 'BinaryExpression' && /^[!=]==?$/.test(node.operator)) {
    for (const side of [node.left, node.right])
      if (/^_$/.test(nameOf(side.callee) ?? '')) say(side, 'a comparison with translated words');
  }
  if (node.type === 'StringLiteral' && isSentence(node.value)) say(node, node.value);
  if (node.type === 'TemplateLiteral')
    for (const { value } of node.quasis) if (isSentence(value.raw)) say(node, value.raw);
  for (const [key, part] of Object.entries(node)) {
    if (key === 'loc' || (key === 'key' && !node.computed)) continue;
    for (const each of [part].flat()) strayWords(each, say);
  }
}

/** Whether a constant reads as words for people: it begins as a sentence does. */
function isSentence(text) {
  const words = text.trim();
  return /^\p{Lu}\p{Ll}+([\s.…?!]|$)/u.test(words) && !keys.has(words) && !properNames.has(words);
}

const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src/*.tsx', 'src/*.ts']);
for (const file of listed.toString().trim().split('\n')) {
  if (/\.test\.tsx?$|\.gen\.ts$|\.d\.ts$|^src\/shop\/fake\//.test(file)) continue;
  const plugins = file.endsWith('x') ? ['typescript', 'jsx'] : ['typescript'];
  const { program } = parse(readFileSync(file, 'utf8'), { sourceType: 'module', plugins });
  const say = ({ loc }, words) =>
    problems.push(`${file}:${loc.start.line} says “${words.trim()}” without the catalogue`);
  bareWords(program, say);
  strayWords(program, say);
}

if (problems.length > 0) {
  console.error(`${problems.slice(0, 50).join('\n')}\n${problems.length} problems; npm run words writes what is new.`);
  process.exit(1);
}
console.log('Every word has its translation.');
