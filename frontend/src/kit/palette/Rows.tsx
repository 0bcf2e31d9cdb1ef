import { Anchor, Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../asking/BusProvider';
import { useManifest } from '../../asking/useManifest';
import type { BusError } from '../../door/error';
import type { ManifestEntry } from '../../door/manifest';
import { displayOf, linkOf } from '../../door/records';
import { propertyOf, translateChoice } from '../../door/schema';
import type { Json, JsonObject, Success } from '../../door/wire';
import { humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { readable } from '../../language/readable';
import { Problem } from '../../ui/page/Note';
import { useDomain } from '../domain';
import classes from './Palette.module.css';
import { rowsIn } from './rowsIn';

interface RowsProps {
  entry: ManifestEntry;
  /** What was asked for, and its first page. */
  asked: JsonObject;
  first: JsonObject;
  source: string;
  onClose: () => void;
}

const FIELDS = 4; // of a row, beside its name

/** The rows of a list that any application declares, page after page. */
export function Rows({ entry, asked, first, source, onClose }: RowsProps) {
  const client = useClient();
  const manifest = useManifest();
  const open = useDomain().useOpenLink();
  const [pages, setPages] = useState([first]);
  const cursor = pages.at(-1)?.nextCursor;
  const more = useMutation<Success<JsonObject>, BusError>({
    mutationFn: () => client.invokeByName(entry.name, { ...asked, cursor: cursor ?? '' }, { source }),
    onSuccess: ({ data }) => setPages((before) => [...before, data]),
  });
  const { pointer, rows } = rowsIn(pages);
  const schema = propertyOf(entry.output_schema, pointer.slice(1))?.items as JsonObject | undefined;
  const kind = manifest?.entities?.find(({ sources }) => sources.includes(`${entry.name}#${pointer}`));
  return (
    <section aria-label={i18n._('Result')}>
      <Text size="xs" c="dimmed" role="status">
        {rows.length === 0
          ? i18n._('Nothing found')
          : i18n._('{count, plural, one {# row} other {# rows}}', { count: rows.length })}
      </Text>
      <ul className={classes.rows}>
        {rows.map((row, at) => {
          const name = (kind?.display && displayOf(kind.display, row)) || readable(row);
          const link = kind && typeof row.id === 'string' && linkOf(manifest, { entity: kind.type, id: row.id });
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only ever added behind the others
            <li key={at}>
              {open && link ? (
                <Anchor
                  component="button"
                  type="button"
                  ta="start"
                  onClick={() => {
                    onClose();
                    open(link);
                  }}
                >
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
      {more.error && <Problem message={more.error.message} hint={more.error.recoveryHint} />}
      {typeof cursor === 'string' && cursor !== '' && (
        <Button variant="default" loading={more.isPending} onClick={() => more.mutate()}>
          {i18n._('Show more')}
        </Button>
      )}
    </section>
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
