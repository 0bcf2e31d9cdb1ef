import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { usePickedFile } from '../../queries/usePickedFile';
import { useTask } from '../../queries/useTask';
import { ActionButton } from '../../ui/form/ActionButton';
import { Badge } from '../../ui/page/Badge';
import { Dialog } from '../../ui/page/Dialog';
import { Problem } from '../../ui/page/Note';
import { Table } from '../../ui/page/Table';
import classes from './Imports.module.css';

/** Adds the pictures of a folder to the products they are called like: first which, then all of them. */
export default function ImportPictures({ onClose }: { onClose: () => void }) {
  const { picked, unread, pick } = usePickedFile('folder');
  const zip = usePickedFile('zip');
  const { clear, ...task } = useTask('catalog.addPictures', 'ImportPictures');
  const { running, data, error } = task;
  const close = () => {
    if (!running) clear();
    onClose();
  };
  const look = ({ file }: { file: string }) => task.start({ file, dryRun: true });
  const from = data?.folder === zip.picked?.name ? zip.picked : picked;
  const problem = unread ?? zip.unread ?? error;
  const addable = data?.dryRun && data.pictures > 0 && from;
  return (
    <Dialog onClose={close} title={i18n._('Pictures of products')} size="lg">
      <Stack gap="sm">
        {!data && !running && (
          <Text c="dimmed">
            {i18n._(
              'A folder, or a ZIP file, with pictures called like those of an import, like handles or like SKUs. You see which are of which product before anything changes.',
            )}
          </Text>
        )}
        {problem && <Problem message={problem.message} hint={problem.recoveryHint} />}
        {running && (
          <div role="status">
            <Text mb={4}>{i18n._('Reading the pictures: {percent} %', { percent: task.percent })}</Text>
            <Progress value={task.percent} aria-label={i18n._('Pictures of products')} />
          </div>
        )}
        {data && <Matched result={data} />}
        <Group justify="flex-end" gap="xs">
          {running ? (
            <Button variant="default" onClick={task.stop} disabled={task.stopped}>
              {i18n._('Stop')}
            </Button>
          ) : (
            <>
              <Button variant="default" onClick={close}>
                {data && !data.dryRun ? i18n._('Close') : i18n._('Cancel')}
              </Button>
              <Button variant="default" onClick={() => zip.pick(look)}>
                {i18n._('Choose a ZIP file')}
              </Button>
              <Button variant={data ? 'default' : 'filled'} onClick={() => pick(look)} data-autofocus>
                {i18n._('Choose a folder')}
              </Button>
            </>
          )}
          {addable && !running && (
            <ActionButton onClick={() => task.start({ file: from.file })}>
              {i18n._('{count, plural, one {Add # picture} other {Add # pictures}}', { count: data.pictures })}
            </ActionButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}

/** Which pictures are of which products, and which are of none. */
function Matched({ result }: { result: Response<'catalog.addPictures'> }) {
  const { dryRun, pictures, matched, unmatched, others, unusable, folder } = result;
  const more = pictures - matched.length;
  return (
    <>
      <Text fw={600} role="status">
        {dryRun
          ? i18n._('{folder} has pictures of {count, plural, one {# product} other {# products}}.', {
              folder,
              count: pictures,
            })
          : i18n._('{count, plural, one {# product has} other {# products have}} a picture of {folder} now.', {
              folder,
              count: pictures,
            })}
      </Text>
      {matched.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.preview} tabIndex={0} aria-label={i18n._('Which picture is of which product')}>
          <Table heads={[i18n._('Product'), i18n._('Picture')]}>
            {matched.map(({ productId, name, file, replaces }) => (
              <tr key={productId}>
                <td>
                  {name} {replaces && dryRun && <Badge>{i18n._('Replaced')}</Badge>}
                </td>
                <td>{file}</td>
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
      {others > 0 && (
        <Text size="xs" c="dimmed">
          {i18n._('Of no product ({count}): {files}', {
            count: formatCount(others),
            files: unmatched.slice(0, 20).join(', ') + (others > 20 ? ' …' : ''),
          })}
        </Text>
      )}
      {unusable.length > 0 && <Problem message={i18n._('Not usable: {files}', { files: unusable.join(', ') })} />}
    </>
  );
}
