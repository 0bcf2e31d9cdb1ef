import { Code, Text } from '@mantine/core';
import { formatMoment } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useRefusal } from '../../../queries/useManifest';
import { usePickedFile } from '../../../queries/usePickedFile';
import { useTask } from '../../../queries/useTask';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import { TaskStrip } from '../../../ui/page/TaskStrip';
import { Backups } from './Backups';

/** Copies of the whole shop: written, and put back. */
export function Copies() {
  const copy = usePickedFile('backup');
  const { data: written, ...backup } = useTask('shop.backup', 'Copies');
  const { data: exported, ...moving } = useTask('shop.export', 'Copies');
  const moved = usePickedFile('shop');
  const { data: imported, ...importing } = useTask('shop.import', 'Copies');
  const { data: restored, ...restore } = useTask('shop.restore', 'Copies');
  const refused = {
    backup: useRefusal('shop.backup'),
    moving: useRefusal('shop.export'),
    importing: useRefusal('shop.import'),
    restore: useRefusal('shop.restore'),
  };
  const busy = [backup, moving, importing, restore].some(({ running }) => running)
    ? i18n._('Something is being written.')
    : undefined;
  const restoring = (
    <TaskStrip {...restore} doing={i18n._('Checking the copy')} whenStopped={i18n._('Stopped: the shop is as it was.')}>
      {restored && (
        <Where file={restored.keptAs}>
          {i18n._('The shop is as it was on {moment}. What it was before is kept as', {
            moment: formatMoment(restored.time),
          })}
        </Where>
      )}
    </TaskStrip>
  );
  return (
    <>
      <Part title={i18n._('Back up')}>
        <Text mb="sm">
          {i18n._('A copy of everything, the audit log too, while the work goes on. Keep it on another disk.')}
        </Text>
        <ActionButton disabledReason={refused.backup ?? busy} onClick={() => backup.start({})}>
          {i18n._('Write a copy')}
        </ActionButton>
      </Part>
      <TaskStrip {...backup} doing={i18n._('Writing the copy')} whenStopped={i18n._('Stopped: no copy was written.')}>
        {written && (
          <Where file={written.file}>
            {i18n._('{count, plural, one {# record, all that there is:} other {# records, all that there is:}}', {
              count: written.records,
            })}
          </Where>
        )}
      </TaskStrip>
      <Backups disabledReason={refused.restore ?? busy} onRestore={(file) => restore.start({ file })} />
      {restoring}
      <Part title={i18n._('Move out')}>
        <Text mb="sm">
          {i18n._('Catalog, customers and orders for another program, as one JSON file; no staff and no log.')}
        </Text>
        <ActionButton variant="default" disabledReason={refused.moving ?? busy} onClick={() => moving.start({})}>
          {i18n._('Write the file')}
        </ActionButton>
      </Part>
      <TaskStrip {...moving} doing={i18n._('Writing the file')} whenStopped={i18n._('Stopped: no file was written.')}>
        {exported && (
          <Where file={exported.file}>
            {i18n._('{count, plural, one {# order and what it is about:} other {# orders and what they are about:}}', {
              count: exported.orders,
            })}
          </Where>
        )}
      </TaskStrip>
      <Part title={i18n._('Move in')}>
        <Text mb="sm">{i18n._('What another shop was moved out to, into this one, as long as nothing is in it.')}</Text>
        {moved.unread && <Problem message={moved.unread.message} hint={moved.unread.recoveryHint} />}
        <ActionButton
          variant="default"
          disabledReason={refused.importing ?? busy}
          onClick={() => moved.pick(({ file }) => importing.start({ file }))}
        >
          {i18n._('Choose the file of a shop')}
        </ActionButton>
      </Part>
      <TaskStrip {...importing} doing={i18n._('Importing')} whenStopped={i18n._('Stopped: nothing was imported.')}>
        {imported && (
          <Text>
            {i18n._(
              '{products, plural, one {# product} other {# products}}, {customers, plural, one {# customer} other {# customers}} and {orders, plural, one {# order} other {# orders}} came from {file}.',
              imported,
            )}
          </Text>
        )}
      </TaskStrip>
      <Part title={i18n._('Put a copy back')}>
        <Text mb="sm">
          {i18n._(
            'The whole shop becomes what it was when the copy was written, its audit log too; you are asked once more. What it is now is kept beside the copies.',
          )}
        </Text>
        {copy.unread && <Problem message={copy.unread.message} hint={copy.unread.recoveryHint} />}
        <ActionButton
          variant="default"
          disabledReason={refused.restore ?? busy}
          onClick={() => copy.pick(({ file }) => restore.start({ file }))}
        >
          {i18n._('Choose a copy')}
        </ActionButton>
      </Part>
    </>
  );
}

function Where({ file, children }: { file: string; children: React.ReactNode }) {
  return (
    <Text style={{ overflowWrap: 'anywhere' }}>
      {children} <Code>{file}</Code>
    </Text>
  );
}
