import { Button, Code, Menu, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useSelected } from '../../../kit/selection/useSelection';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { FileActions } from '../../../shop/FileActions';
import type { useDocument } from '../../../shop/useDocument';
import { fileWords } from '../../../ui/page/FileExport';
import { TaskStrip } from '../../../ui/page/TaskStrip';

/** Prints the receipts of several orders, each on a page of its own, or writes them to a file. */
export function SelectedReceipts({ document }: { document: ReturnType<typeof useDocument> }) {
  const { formats, write, task } = document;
  const orderIds = useSelected('order').map(({ id }) => id);
  const open = useInvoke('document.open', { source: 'SelectedReceipts' });
  const opens = useEntry('document.open')?.available ?? false;
  if (formats.length === 0) return null;
  const all = { orderIds };
  return (
    <Menu position="top-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconReceipt size={15} aria-hidden />} disabled={task.running}>
          {i18n._('Receipts')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {opens && (
          <Menu.Item onClick={() => write('pdf', all, ({ file }) => open.mutate({ file }))}>
            {i18n._('Print')}
          </Menu.Item>
        )}
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => write(format, all)}>
            {fileWords[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Where the receipts lie that were written. */
export function SelectedReceiptsStatus({ written, ...task }: ReturnType<typeof useDocument>['task']) {
  return (
    <TaskStrip {...task} doing={i18n._('Writing the receipts')} whenStopped={i18n._('Stopped: no file was written.')}>
      {written && (
        <Text component="div" style={{ overflowWrap: 'anywhere' }}>
          {i18n._('The receipts are written to')} <Code>{written.file}</Code>
          <FileActions file={written.file} />
        </Text>
      )}
    </TaskStrip>
  );
}
