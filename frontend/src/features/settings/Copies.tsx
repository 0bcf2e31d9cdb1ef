import { Code, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useClient } from '../../bus/BusProvider';
import type { PickedFile } from '../../bus/client';
import { asBusError, type BusError } from '../../bus/error';
import { useRefusal } from '../../bus/hooks';
import { useTask } from '../../bus/useTask';
import { ActionButton } from '../../ui/ActionButton';
import { FormDialog } from '../../ui/FormDialog';
import { formatMoment } from '../../ui/format';
import { Problem } from '../../ui/Note';
import { Part } from '../../ui/Page';
import { TaskStrip } from '../../ui/TaskStrip';

/** Copies of the whole shop: written, and put back. */
export function Copies() {
  const client = useClient();
  const [picked, setPicked] = useState<PickedFile>();
  const [unread, setUnread] = useState<BusError>();
  const { data: written, ...backup } = useTask('shop.backup', 'Copies');
  const { data: exported, ...moving } = useTask('shop.export', 'Copies');
  const { data: restored, ...restore } = useTask('shop.restore', 'Copies');
  const refused = {
    backup: useRefusal('shop.backup'),
    moving: useRefusal('shop.export'),
    restore: useRefusal('shop.restore'),
  };
  const busy = backup.running || moving.running || restore.running ? 'Something is being written.' : undefined;
  const choose = () =>
    client.pickFile('backup').then(
      (file) => {
        setUnread(undefined);
        if (file.file) setPicked(file);
      },
      (thrown) => setUnread(asBusError(thrown)),
    );
  const putBack = () => {
    restore.start({ file: picked?.file });
    setPicked(undefined);
  };
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
      <Part title="Put a copy back">
        <Text mb="sm">The whole shop becomes what it was when the copy was written.</Text>
        {unread && <Problem message={unread.message} hint={unread.recoveryHint} />}
        <ActionButton variant="default" disabledReason={refused.restore ?? busy} onClick={choose}>
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
      {picked && (
        <FormDialog
          {...{
            title: `Put ${picked.name} back`,
            submit: 'Put it back',
            leave: 'Keep the shop as it is',
            danger: true,
          }}
          {...{ pending: false, error: null, onSubmit: putBack, onClose: () => setPicked(undefined) }}
        >
          <List size="sm" spacing={4}>
            <List.Item>Everything since the copy is gone from the shop, in the audit log too.</List.Item>
            <List.Item>The shop as it is now is kept beside the copies.</List.Item>
          </List>
        </FormDialog>
      )}
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
