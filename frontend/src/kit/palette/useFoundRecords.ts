import { useDebouncedValue } from '@mantine/hooks';
import { linkOf } from '../../bridge/records';
import { useManifest } from '../../queries/useManifest';
import { useRecordSearch } from '../useRecordSearch';

/** The fewest characters that records are sought by. */
const FROM = 2;
/** As many records of one kind as are listed. */
const OF_ONE_KIND = 4;

/** The records that match a text and have a page, by kind: all at once, and none of an earlier text. */
export function useFoundRecords(text: string) {
  const manifest = useManifest();
  const wanted = text.trim().length < FROM ? '' : text.trim();
  const [query] = useDebouncedValue(wanted, 150);
  const { groups, missing, busy } = useRecordSearch(query, 'Palette');
  const waits = query !== wanted || busy;
  const records = groups.flatMap(({ group, items }) =>
    items
      .flatMap(({ entity, value, label }) => {
        const link = linkOf(manifest, { entity, id: value });
        return link === undefined ? [] : [{ group, link, title: label }];
      })
      .slice(0, OF_ONE_KIND),
  );
  return { records: waits ? [] : records, missing, waits };
}
