import { Button, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { BusError } from '../../bridge/error';
import type { ManifestEntry } from '../../bridge/manifest';
import type { JsonObject, Success } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { missingText } from '../../language/missing';
import { useClient } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { Problem } from '../../ui/page/Note';
import { RecordRows } from '../RecordRows';
import { missingIn } from '../useRecordSearch';
import { rowsOfPages } from './resultRows';

interface RowsProps {
  entry: ManifestEntry;
  /** What was asked for, and its first page. */
  asked: JsonObject;
  first: JsonObject;
  source: string;
  onClose: () => void;
}

/** The rows of a list that any application declares, page after page. */
export function Rows({ entry, asked, first, source, onClose }: RowsProps) {
  const client = useClient();
  const [pages, setPages] = useState([first]);
  const cursor = pages.at(-1)?.nextCursor;
  const more = useMutation<Success<JsonObject>, BusError>({
    mutationFn: () => client.invokeByName(entry.name, { ...asked, cursor: cursor ?? '' }, { source }),
    onSuccess: ({ data }) => setPages((before) => [...before, data]),
  });
  const { rows } = rowsOfPages(useManifest(), entry.name, pages);
  return (
    <section aria-label={i18n._('Result')}>
      <Text size="xs" c="dimmed" role="status">
        {rows.length === 0
          ? [i18n._('Nothing found'), missingText(missingIn(first))].filter(Boolean).join('. ')
          : i18n._('{count, plural, one {# row} other {# rows}}', { count: rows.length })}
      </Text>
      <RecordRows {...{ entry, pages }} onOpen={onClose} />
      {more.error && <Problem message={more.error.message} hint={more.error.recoveryHint} />}
      {typeof cursor === 'string' && cursor !== '' && (
        <Button variant="default" loading={more.isPending} onClick={() => more.mutate()}>
          {i18n._('Show more')}
        </Button>
      )}
    </section>
  );
}
