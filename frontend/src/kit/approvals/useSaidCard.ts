import { useClient } from '../../asking/BusProvider';
import { useManifest } from '../../asking/useManifest';
import type { ApprovalCard, Effect } from '../../door/approval';
import { entry, type Manifest, PLAN } from '../../door/manifest';
import type { Names } from '../../door/namesById';
import type { RecordRef } from '../../door/records';
import { schemaAt } from '../../door/schema';
import { translateCard } from '../../door/translateAnswers';
import { visible } from '../../language/readable';
import { useDomain } from '../domain';
import { useRecords } from '../records';
import type { Vocabulary } from '../rows/rows';
import { usedValues } from './cards';

/** A card in the language of the window, with the names of the records in it. */
export function useSaidCard(card: ApprovalCard): { said: ApprovalCard; names: Names; records: readonly RecordRef[] } {
  const { fileNames } = useClient();
  const manifest = useManifest();
  const { vocabulary, beforeOwnNames } = useDomain();
  const { capability, facts, effects: rows, grant } = card;
  const { constraints } = grant ?? {};
  const { names, records } = useRecords({
    ...{ capability, facts, rows, constraints },
    arguments: usedValues(card.arguments),
  });
  const data = [...Object.values(names), ...peoplesTexts(card, manifest, vocabulary)];
  const shown = Object.entries({ ...names, ...fileNames }).map(([id, name]) => [id, visible(name)] as const);
  return { said: translateCard(card, data, beforeOwnNames), names: Object.fromEntries(shown), records };
}

/** The texts of people on a card: no choices of a schema, and no words of the application. */
function peoplesTexts(card: ApprovalCard, manifest: Manifest | undefined, vocabulary: Vocabulary): string[] {
  const values = card.arguments.flatMap(({ pointer, value, text }) =>
    typeof value !== 'string' || isChoice(card, pointer, manifest) ? [] : [value, text],
  );
  const rows = [...(card.effects ?? []), ...(card.moved ?? [])].flatMap((row) => textsInRow(row, vocabulary));
  const bills = card.bills?.flatMap((bill) => bill?.lines?.map(({ text }) => text) ?? []) ?? [];
  const facts = Object.values(card.facts ?? {}).filter((fact) => typeof fact === 'string');
  return [...values, ...rows, ...bills, ...facts, ...(card.left?.map(({ name }) => name) ?? [])];
}

function isChoice({ capability, arguments: args }: ApprovalCard, pointer: string, manifest: Manifest | undefined) {
  const [, step, rest = pointer] = /^(\/steps\/\d+)\/arguments(\/.+)$/.exec(pointer) ?? [];
  const of = step && capability === PLAN ? args.find((one) => one.pointer === `${step}/capability`)?.value : capability;
  return schemaAt(entry(manifest, String(of))?.input_schema, rest)?.enum !== undefined;
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
