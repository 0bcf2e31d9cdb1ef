import { Badge, Text } from '@mantine/core';
import type { Response } from '../../bus/client';
import page from '../../ui/Page.module.css';
import classes from './Imports.module.css';
import { type ImportKind, importSums, importTold } from './importing';

/** What an import changes, one by one. */
export function ImportPreview({ result, kind }: { result: Response<'shop.importCSV'>; kind: ImportKind }) {
  const { changes, ignoredColumns, images } = result;
  const { created, updated } = importSums(result);
  const more = created + updated - changes.length;
  const left = [
    ignoredColumns.length > 0 && `Columns that are not read: ${ignoredColumns.join(', ')}.`,
    images > 0 && `Addresses of pictures, kept and not fetched: ${images.toLocaleString()}.`,
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
        <section className={classes.preview} tabIndex={0} aria-label="What changes">
          <table className={page.table}>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">Change</th>
              </tr>
            </thead>
            <tbody>
              {changes.map(({ handle, name, action, details }) => (
                <tr key={handle}>
                  <td>
                    <Text fw={500}>
                      {name} {action === 'created' && <Badge>New</Badge>}
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
            </tbody>
          </table>
          {more > 0 && (
            <Text size="xs" c="dimmed" py="xs">
              And {more.toLocaleString()} more.
            </Text>
          )}
        </section>
      )}
      {left.length > 0 && (
        <Text size="xs" c="dimmed">
          {left.join(' ')}
        </Text>
      )}
    </>
  );
}
