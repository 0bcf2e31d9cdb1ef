import { Button, Code, Menu, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useState } from 'react';
import { useEntry } from '../../../asking/useManifest';
import type { useTask } from '../../../asking/useTask';
import type { Response } from '../../../door/capabilities';
import { i18n } from '../../../language/i18n';
import { TaskStrip } from '../../../ui/page/TaskStrip';
import { SendReceipt } from '../dialogs/SendReceipt';

interface ReceiptMenuProps {
  order: Response<'order.get'>;
  printing: ReturnType<typeof useTask<'document.export'>>;
}

/** The actions on the receipt of an order: a file to print, or a mail to the customer. */
export function ReceiptMenu({ order, printing }: ReceiptMenuProps) {
  const [sending, setSending] = useState(false);
  const file = useEntry('document.export')?.available ?? false;
  const mail = useEntry('email.sendReceipt')?.available ?? false;
  if (!file && !mail) return null;
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button variant="default" leftSection={<IconReceipt size={15} aria-hidden />} disabled={printing.running}>
            {i18n._('Receipt')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {file && (
            <Menu.Item onClick={() => printing.start({ kind: 'receipt', format: 'pdf', orderId: order.id })}>
              {i18n._('Write a PDF to print')}
            </Menu.Item>
          )}
          {mail && <Menu.Item onClick={() => setSending(true)}>{i18n._('Send it by mail')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {sending && <SendReceipt order={order} onClose={() => setSending(false)} />}
    </>
  );
}

/** Where the receipt lies that was written. */
export function ReceiptStatus({ data: written, ...task }: ReturnType<typeof useTask<'document.export'>>) {
  return (
    <TaskStrip {...task} doing={i18n._('Writing the receipt')} whenStopped={i18n._('Stopped: no receipt was written.')}>
      {written && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {i18n._('The receipt is written to')} <Code>{written.file}</Code>
          {written.missing &&
            `. ${i18n._('No font here has these characters: {characters}', { characters: written.missing })}`}
        </Text>
      )}
    </TaskStrip>
  );
}
