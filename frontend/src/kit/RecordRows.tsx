import { Anchor, Text } from '@mantine/core';
import { type Entity, entityOf, type ManifestEntry } from '../bridge/manifest';
import { displayOf } from '../bridge/records';
import { propertyOf, translateChoice } from '../bridge/schema';
import type { Json, JsonObject } from '../bridge/wire';
import { humanize } from '../language/format';
import { isMoment, readable } from '../language/readable';
import { useManifest } from '../queries/useManifest';
import { useDomain } from './domain';
import { callText, kindOfRows, linkOfRow, type ResultRows, rowsOfPages } from './palette/resultRows';
import classes from './RecordRows.module.css';

interface RecordRowsProps {
  /** The list that answered, and its pages. */
  entry: ManifestEntry;
  pages: readonly JsonObject[];
  /** What is shown of the only page, where that is no list. */
  result?: ResultRows;
  /** As many rows as are shown; absent: all. */
  most?: number;
  /** Called before a record is opened. */
  onOpen?: () => void;
}

const FIELDS = 4; // of a row, beside its name

/** The rows of a list that any application declares: the name of each, which leads to its page, and a few facts. */
export function RecordRows({ entry, pages, result, most, onOpen }: RecordRowsProps) {
  const manifest = useManifest();
  const { pointer, rows } = result ?? rowsOfPages(manifest, entry.name, pages);
  const schema = propertyOf(entry.output_schema, pointer.slice(1))?.items as JsonObject | undefined;
  const kind = kindOfRows(manifest, entry.name, pointer);
  const [whole] = pages;
  const leads = result?.record !== undefined || rows.some((row) => linkOfRow(manifest, kind, row) !== undefined);
  return (
    // A list that scrolls is reached by keyboard: by its links, else by itself.
    <ul className={classes.rows} tabIndex={leads ? undefined : 0}>
      {result?.record && whole && (
        <Row schema={entry.output_schema} row={whole} kind={entityOf(manifest, result.record)} onOpen={onOpen} />
      )}
      {rows.slice(0, most).map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added behind the others
        <Row key={at} {...{ schema, row, kind, onOpen }} />
      ))}
    </ul>
  );
}

interface RowProps {
  schema: JsonObject | undefined;
  row: JsonObject;
  kind: Entity | undefined;
  onOpen?: () => void;
}

/**
 * One row: its name, which leads to the page of its record or of one that it names, and a few facts. The sentence of a
 * call says what its result and its facts say to programs.
 */
function Row({ schema, row, kind, onOpen }: RowProps) {
  const manifest = useManifest();
  const open = useDomain().useOpenLink();
  const call = callText(manifest, row);
  const name = (kind?.display && displayOf(kind.display, row)) || call || readable(row);
  const link = linkOfRow(manifest, kind, row);
  const go = () => {
    onOpen?.();
    if (link) open?.(link);
  };
  return (
    <li>
      {open && link ? (
        <Anchor component="button" type="button" fz="inherit" ta="start" onClick={go}>
          {name}
        </Anchor>
      ) : (
        name
      )}
      <Text size="xs" c="dimmed">
        {facts(schema, call ? { ...row, capability: call, data: null, facts: null } : row, name)}
      </Text>
    </li>
  );
}

/** What a row says beside its name, as far as it is said in a word or two. */
function facts(schema: JsonObject | undefined, row: JsonObject, name: string): string {
  const short = (value: Json | undefined) =>
    !Array.isArray(value) && value !== '' && value !== null && value !== undefined && !name.includes(String(value));
  return Object.entries(row)
    .filter(([key, value]) => short(value) && !/(^i|I)d$/.test(key) && !isMoment(key, value))
    .slice(0, FIELDS)
    .map(([key, value]) => `${humanize(key)}: ${readable(translateChoice(schema, key, value))}`)
    .join(' · ');
}
