import { Button, Code, Menu, Text } from '@mantine/core';
import { IconReceipt } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import type { useTask } from '../../../queries/useTask';
import { FileActions } from '../../../shop/FileActions';
import { TaskStrip } from '../../../ui/page/TaskStrip';
import { SendReceipt } from '../dialogs/SendReceipt';
import { ShowReceipt } from '../dialogs/ShowReceipt';

interface ReceiptMenuProps {
  order: Response<'order.get'>;
  printing: ReturnType<typeof useTask<'document.export'>>;
}

/** The actions on the receipt of an order: to see it, to print it, to mail it to the customer. */
export function ReceiptMenu({ order, printing }: ReceiptMenuProps) {
  const [dialog, setDialog] = useState<'show' | 'send'>();
  const button = useRef<HTMLButtonElement>(null);
  const print = usePrint(order.id, printing);
  const shown = useEntry('receipt.preview')?.available ?? false;
  const mail = useEntry('email.sendReceipt')?.available ?? false;
  if (!shown && !print && !mail) return null;
  const ask = (which: 'show' | 'send') => {
    button.current?.focus(); // where a dialog brings it back to
    setDialog(which);
  };
  const close = () => setDialog(undefined);
  return (
    <>
      <Menu position="bottom-end" withinPortal={false}>
        <Menu.Target>
          <Button
            ref={button}
            variant="default"
            leftSection={<IconReceipt size={15} aria-hidden />}
            disabled={printing.running}
          >
            {i18n._('Receipt')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {shown && <Menu.Item onClick={() => ask('show')}>{i18n._('Show')}</Menu.Item>}
          {print && <Menu.Item onClick={print.run}>{print.label}</Menu.Item>}
          {mail && <Menu.Item onClick={() => ask('send')}>{i18n._('Send it by mail')}</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {dialog === 'show' && <ShowReceipt orderId={order.id} print={print} onClose={close} />}
      {dialog === 'send' && <SendReceipt order={order} onClose={close} />}
    </>
  );
}

/** Writes the receipt as a PDF and opens it to be printed, where this desk can open files; undefined without the right. */
function usePrint(orderId: string, printing: ReceiptMenuProps['printing']) {
  const open = useInvoke('document.open', { source: 'Receipt' });
  const opens = useEntry('document.open')?.available ?? false;
  const writes = useEntry('document.export')?.available ?? false;
  if (!writes) return undefined;
  return {
    label: opens ? i18n._('Print') : i18n._('Write a PDF to print'),
    run: () => {
      printing.start({ kind: 'receipt', format: 'pdf', orderId }, ({ file }) => opens && open.mutate({ file }));
    },
  };
}

/** Where the receipt lies that was written. */
export function ReceiptStatus({ data: written, ...task }: ReturnType<typeof useTask<'document.export'>>) {
  return (
    <TaskStrip {...task} doing={i18n._('Writing the receipt')} whenStopped={i18n._('Stopped: no receipt was written.')}>
      {written && (
        <Text component="div" style={{ overflowWrap: 'anywhere' }}>
          {i18n._('The receipt is written to')} <Code>{written.file}</Code>
          {written.missing &&
            `. ${i18n._('No font here has these characters: {characters}', { characters: written.missing })}`}
          <FileActions file={written.file} />
        </Text>
      )}
    </TaskStrip>
  );
}
