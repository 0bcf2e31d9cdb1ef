import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { Badge } from '../../ui/page/Badge';
import { Table } from '../../ui/page/Table';
import { Mistakes } from './ImportProblems';
import classes from './Imports.module.css';
import { type ImportKind, importSums, importTold, leftOutOf } from './importing';

/** The changes of an import one by one. */
export function ImportPreview({ result, kind }: { result: Response<'shop.importCSV'>; kind: ImportKind }) {
  const { changes, ignoredColumns, images, imagesKept } = result;
  const { created, updated } = importSums(result);
  const more = created + updated - changes.length;
  const left = [
    ignoredColumns.length > 0 &&
      i18n._('Columns that are not imported: {columns}.', { columns: ignoredColumns.join(', ') }),
    result.latin && i18n._('The file is not UTF-8 and was read as Windows-1252: look at the accents.'),
    images > 0 &&
      i18n._('Addresses of pictures: {count}; the first of each product is kept ({kept}), none is fetched.', {
        count: formatCount(images),
        kept: formatCount(imagesKept),
      }),
  ].filter(Boolean);
  return (
    <>
      {result.dryRun && (
        <Text fw={600} role="status">
          {importTold(result, kind)}
        </Text>
      )}
      {changes.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.preview} tabIndex={0} aria-label={i18n._('What changes')}>
          <Table heads={[i18n._('What'), i18n._('Change')]}>
            {changes.map(({ handle, name, action, details }) => (
              <tr key={handle}>
                <td>
                  <Text fw={500}>
                    {name} {action === 'created' && <Badge>{i18n._('New')}</Badge>}
                  </Text>
                </td>
                <td>
                  {details.map((detail) => (
                    <Text key={detail} size="xs">
                      {detail}
                    </Text>
                  ))}
                </td>
              </tr>
            ))}
          </Table>
          {more > 0 && (
            <Text size="xs" c="dimmed" py="xs">
              {i18n._('And {count} more.', { count: formatCount(more) })}
            </Text>
          )}
        </section>
      )}
      {result.rowsLeftOut > 0 && (
        <>
          <Text fw={600}>
            {result.dryRun
              ? i18n._('{count, plural, one {# row} other {# rows}} cannot be taken.', { count: result.rowsLeftOut })
              : i18n._('{count, plural, one {# row was} other {# rows were}} left out.', { count: result.rowsLeftOut })}
          </Text>
          <Mistakes mistakes={leftOutOf(result)} />
        </>
      )}
      {left.length > 0 && (
        <Text size="xs" c="dimmed">
          {left.join(' ')}
        </Text>
      )}
    </>
  );
}
