import { Anchor, Text } from '@mantine/core';
import { useManifest } from '../asking/useManifest';
import type { ManifestEntry } from '../door/manifest';
import { displayOf, linkOf } from '../door/records';
import { propertyOf, translateChoice } from '../door/schema';
import type { Json, JsonObject } from '../door/wire';
import { humanize } from '../language/format';
import { readable } from '../language/readable';
import { useDomain } from './domain';
import { rowsIn } from './palette/rowsIn';
import classes from './RecordRows.module.css';

interface RecordRowsProps {
  /** The list that answered, and its pages. */
  entry: ManifestEntry;
  pages: readonly JsonObject[];
  /** As many rows as are shown; absent: all. */
  most?: number;
  /** Called before a record is opened. */
  onOpen?: () => void;
}

const FIELDS = 4; // of a row, beside its name

/** The rows of a list that any application declares: the name of each, which leads to its page, and a few facts. */
export function RecordRows({ entry, pages, most, onOpen }: RecordRowsProps) {
  const manifest = useManifest();
  const open = useDomain().useOpenLink();
  const { pointer, rows } = rowsIn(pages);
  const schema = propertyOf(entry.output_schema, pointer.slice(1))?.items as JsonObject | undefined;
  const kind = manifest?.entities?.find(({ sources }) => sources.includes(`${entry.name}#${pointer}`));
  return (
    <ul className={classes.rows}>
      {rows.slice(0, most).map((row, at) => {
        const name = (kind?.display && displayOf(kind.display, row)) || readable(row);
        const link = kind && typeof row.id === 'string' && linkOf(manifest, { entity: kind.type, id: row.id });
        const go = () => {
          onOpen?.();
          if (link) open?.(link);
        };
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added behind the others
          <li key={at}>
            {open && link ? (
              <Anchor component="button" type="button" fz="inherit" ta="start" onClick={go}>
                {name}
              </Anchor>
            ) : (
              name
            )}
            <Text size="xs" c="dimmed">
              {facts(schema, row, name)}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

/** What a row says beside its name, as far as it is said in a word or two. */
function facts(schema: JsonObject | undefined, row: JsonObject, name: string): string {
  const short = (value: Json | undefined) =>
    !Array.isArray(value) && value !== '' && value !== null && value !== undefined && !name.includes(String(value));
  return Object.entries(row)
    .filter(([key, value]) => short(value) && !/(^i|I)d$/.test(key))
    .slice(0, FIELDS)
    .map(([key, value]) => `${humanize(key)}: ${readable(translateChoice(schema, key, value))}`)
    .join(' · ');
}
