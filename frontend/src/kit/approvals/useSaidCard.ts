import type { ApprovalCard, Effect } from '../../bridge/approval';
import { entry, type Manifest, PLAN } from '../../bridge/manifest';
import { keyOf, type Names, nameOf } from '../../bridge/names';
import { schemaAt } from '../../bridge/schema';
import { translateCard } from '../../bridge/translateAnswers';
import { visible } from '../../language/readable';
import { translateFromGo } from '../../language/translateFromGo';
import { useClient } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { useDomain } from '../domain';
import { placesInCall, useNamesIn } from '../records';
import type { Vocabulary } from '../rows/rows';
import { capabilityOfStep, inNames, usedValues } from './cards';

/** Files that were chosen here are named as records of this kind, which no application declares. */
const FILE = 'x-file';

/** A card in the language of the window, its values by the names of the records that they are the ids of. */
export function useSaidCard(card: ApprovalCard): { said: ApprovalCard; names: Names } {
  const { fileNames } = useClient();
  const manifest = useManifest();
  const { vocabulary, beforeOwnNames } = useDomain();
  const { capability, facts, effects: rows, grant } = card;
  const values = usedValues(card.arguments);
  const places = placesInCall(manifest, capability, values);
  const records = useNamesIn({ capability, arguments: values, facts, rows, constraints: grant?.constraints });
  const files = Object.entries(fileNames).map(([id, name]) => [keyOf({ entity: FILE, id }), visible(name)] as const);
  const known = new Map([...records, ...files]);
  const said = translateCard(card, [...records.values(), ...peoplesTexts(card, manifest, vocabulary)], beforeOwnNames);
  const list = said.arguments.map((argument) => {
    const { pointer, value, text } = argument;
    const schema = schemaOf(card, pointer, manifest);
    const record = places.get(pointer);
    const name = nameOf(known, schema?.[FILE] ? { entity: FILE, id: String(value) } : record);
    const isChoice = typeof value === 'string' && Array.isArray(schema?.enum) && schema.enum.includes(value);
    return { ...argument, record, text: name ?? (isChoice ? translateFromGo(value) : text) };
  });
  // The text of the application counts for a record without another name.
  const named = list.flatMap(({ record, value, text }) =>
    record && text !== value ? [[keyOf(record), text] as const] : [],
  );
  const names = new Map([...known, ...named]);
  const written = list.flatMap(({ record, text }) => (record ? [] : [text]));
  return { said: { ...said, sentence: inNames(said.sentence, names, written), arguments: list }, names };
}

/** The texts of people on a card: no choices of a schema, and no words of the application. */
function peoplesTexts(card: ApprovalCard, manifest: Manifest | undefined, vocabulary: Vocabulary): string[] {
  const values = card.arguments.flatMap(({ pointer, value, text }) =>
    typeof value !== 'string' || schemaOf(card, pointer, manifest)?.enum ? [] : [value, text],
  );
  const rows = [...(card.effects ?? []), ...(card.moved ?? [])].flatMap((row) => textsInRow(row, vocabulary));
  const bills = card.bills?.flatMap((bill) => bill?.lines?.map(({ text }) => text) ?? []) ?? [];
  const facts = Object.values(card.facts ?? {}).filter((fact) => typeof fact === 'string');
  return [...values, ...rows, ...bills, ...facts, ...(card.left?.map(({ name }) => name) ?? [])];
}

/** The schema of an argument, that of a step of a plan too. */
function schemaOf({ capability, arguments: args }: ApprovalCard, pointer: string, manifest: Manifest | undefined) {
  const [, step, rest = pointer] = /^\/steps\/(\d+)\/arguments(\/.+)$/.exec(pointer) ?? [];
  const of = step && capability === PLAN ? capabilityOfStep(args, Number(step)) : capability;
  return schemaAt(entry(manifest, String(of))?.input_schema, rest);
}

function textsInRow({ table, before, after }: Effect, { words }: Vocabulary): string[] {
  return [before, after].flatMap((row) =>
    Object.entries(row ?? {}).flatMap(([column, value]) =>
      typeof value === 'string' && !Object.hasOwn(words, column) && !Object.hasOwn(words, `${table}.${column}`)
        ? [value]
        : [],
    ),
  );
}
