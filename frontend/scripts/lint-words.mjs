// Holds the catalogues of words to the code: every word a person reads has its
// translation, none is left over, and a translation has the gaps of its original.
// Prints what it finds and fails on any of it. `npm run words` writes new words in.
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

if (problems.length > 0) {
  console.error(`${problems.slice(0, 50).join('\n')}\n${problems.length} problems; npm run words writes what is new.`);
  process.exit(1);
}
console.log('Every word has its translation.');
