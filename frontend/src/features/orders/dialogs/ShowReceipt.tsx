import { Button, Group } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { ReceiptSheet } from '../../../shop/ReceiptSheet';
import { Dialog } from '../../../ui/page/Dialog';
import { Loading } from '../../../ui/page/Loading';
import { Problem } from '../../../ui/page/Note';
import page from '../../../ui/page/Page.module.css';

interface ShowReceiptProps {
  orderId: string;
  /** Prints it; undefined where that is not possible. */
  print: { label: string; run: () => void } | undefined;
  onClose: () => void;
}

/** The receipt of an order as it is printed. */
export function ShowReceipt({ orderId, print, onClose }: ShowReceiptProps) {
  const { data, error } = useCapability('receipt.preview', { orderId }, { source: 'ShowReceipt' });
  return (
    <Dialog onClose={onClose} title={i18n._('Receipt of order {order}', { order: orderId })} size="lg">
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      {!data && !error && <Loading label={i18n._('Reading the receipt')} />}
      {data && <ReceiptSheet receipt={data} />}
      <Group justify="flex-end" gap="xs" className={page.foot}>
        <Button variant="default" onClick={onClose}>
          {i18n._('Close')}
        </Button>
        {print && (
          <Button
            data-autofocus
            onClick={() => {
              print.run();
              onClose();
            }}
          >
            {print.label}
          </Button>
        )}
      </Group>
    </Dialog>
  );
}
