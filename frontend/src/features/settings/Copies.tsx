import { Code, Text } from '@mantine/core';
import { useRefusal } from '../../bus/hooks';
import { usePickedFile } from '../../bus/usePickedFile';
import { useTask } from '../../bus/useTask';
import { ActionButton } from '../../ui/ActionButton';
import { formatMoment } from '../../ui/format';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';
import { TaskStrip } from '../../ui/TaskStrip';

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
    ? 'Something is being written.'
    : undefined;
  return (
    <>
      <Part title="Back up">
        <Text mb="sm">A copy of everything, the audit log too, while the work goes on. Keep it on another disk.</Text>
        <ActionButton disabledReason={refused.backup ?? busy} onClick={() => backup.start({})}>
          Write a copy
        </ActionButton>
      </Part>
      <TaskStrip {...backup} doing="Writing the copy" whenStopped="Stopped: no copy was written.">
        {written && <Where file={written.file}>{written.records.toLocaleString()} records, all that there is:</Where>}
      </TaskStrip>
      <Part title="Move out">
        <Text mb="sm">Catalog, customers and orders for another program, as one JSON file; no staff and no log.</Text>
        <ActionButton variant="default" disabledReason={refused.moving ?? busy} onClick={() => moving.start({})}>
          Write the file
        </ActionButton>
      </Part>
      <TaskStrip {...moving} doing="Writing the file" whenStopped="Stopped: no file was written.">
        {exported && (
          <Where file={exported.file}>{exported.orders.toLocaleString()} orders and what they are about:</Where>
        )}
      </TaskStrip>
      <Part title="Move in">
        <Text mb="sm">What another shop was moved out to, into this one, as long as nothing is in it.</Text>
        {moved.unread && <Problem message={moved.unread.message} hint={moved.unread.recoveryHint} />}
        <ActionButton
          variant="default"
          disabledReason={refused.importing ?? busy}
          onClick={() => moved.pick(({ file }) => importing.start({ file }))}
        >
          Choose the file of a shop
        </ActionButton>
      </Part>
      <TaskStrip {...importing} doing="Importing" whenStopped="Stopped: nothing was imported.">
        {imported && (
          <Text>
            {imported.products.toLocaleString()} products, {imported.customers.toLocaleString()} customers and{' '}
            {imported.orders.toLocaleString()} orders came from {imported.file}.
          </Text>
        )}
      </TaskStrip>
      <Part title="Put a copy back">
        <Text mb="sm">
          The whole shop becomes what it was when the copy was written, its audit log too; you are asked once more. What
          it is now is kept beside the copies.
        </Text>
        {copy.unread && <Problem message={copy.unread.message} hint={copy.unread.recoveryHint} />}
        <ActionButton
          variant="default"
          disabledReason={refused.restore ?? busy}
          onClick={() => copy.pick(({ file }) => restore.start({ file }))}
        >
          Choose a copy
        </ActionButton>
      </Part>
      <TaskStrip {...restore} doing="Checking the copy" whenStopped="Stopped: the shop is as it was.">
        {restored && (
          <Text>
            The shop is as it was on {formatMoment(restored.time)}. What it was before is kept as{' '}
            <Code>{restored.keptAs}</Code>.
          </Text>
        )}
      </TaskStrip>
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
