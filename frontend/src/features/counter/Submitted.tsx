import { Button, Code, Group, Text } from '@mantine/core';
import { useEffect } from 'react';
import type { Response } from '../../bridge/capabilities';
import { formatDay, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import { useTask } from '../../queries/useTask';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import { TaskStrip } from '../../ui/page/TaskStrip';
import classes from './Counter.module.css';
import { paidTotal } from './checkout';

const KEY = 'Shift+F9';

type Receipt = Response<'checkout.submit'>;

interface SubmittedProps {
  receipt: Receipt;
  onOpenOrder: (orderId: string) => void;
}

/** The last sale on a line: its number, the change due, its receipt. It goes when the next sale begins. */
export function Submitted({ receipt, onOpenOrder }: SubmittedProps) {
  const { orderId } = receipt;
  const { data: written, clear, ...task } = useTask('document.export', 'Submitted');
  useEffect(() => clear, [clear]); // it was of this order
  const mayWrite = useEntry('document.export')?.available ?? false;
  const write = () => {
    if (!task.running) task.start({ kind: 'receipt', format: 'pdf', orderId });
  };
  useKeys(mayWrite ? { [KEY]: { does: i18n._('The receipt of the sale that was just made'), act: write } } : {});
  return (
    <>
      <div className={classes.done} role="status">
        <div>
          <Text fw={600}>{orderId}</Text>
          <Text size="xs" c="dimmed">
            {outcomeOf(receipt)}
            {receipt.receiptNumber && ` · ${i18n._('Receipt {number}', { number: receipt.receiptNumber })}`}
          </Text>
        </div>
        {receipt.change && (
          <Text className={classes.change} fw={600}>
            {i18n._('Change {amount}', { amount: formatMoney(receipt.change) })}
          </Text>
        )}
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-sm" variant="default" onClick={() => onOpenOrder(orderId)}>
            {i18n._('Open order')}
          </Button>
          {mayWrite && (
            <Button size="compact-sm" variant="default" {...keyed(KEY)} disabled={task.running} onClick={write}>
              {i18n._('Receipt')}
            </Button>
          )}
        </Group>
      </div>
      <TaskStrip
        {...task}
        clear={clear}
        doing={i18n._('Writing the receipt')}
        whenStopped={i18n._('Stopped: no receipt was written.')}
      >
        {written && (
          <Text style={{ overflowWrap: 'anywhere' }}>
            {i18n._('The receipt is written to')} <Code>{written.file}</Code>
          </Text>
        )}
      </TaskStrip>
    </>
  );
}

/** What became of the sale, in a few words. */
function outcomeOf({ fulfilment, total, rounding, estimatedDelivery }: Receipt): string {
  const amount = formatMoney(paidTotal(total, rounding));
  if (fulfilment === 'takeAway') return i18n._('{amount} recorded, taken along', { amount });
  if (fulfilment === 'pickUp') return i18n._('{amount} recorded, to be picked up', { amount });
  return i18n._('{amount} recorded, estimated delivery {day}', { amount, day: formatDay(estimatedDelivery) });
}
