import { Button, Code, Group, Kbd, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useEntry } from '../../asking/useManifest';
import { useTask } from '../../asking/useTask';
import type { Response } from '../../door/capabilities';
import { formatDay, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useKeys } from '../../ui/keys/useKeys';
import { TaskStrip } from '../../ui/page/TaskStrip';
import classes from './Counter.module.css';

interface SubmittedProps {
  receipt: Response<'checkout.submit'>;
  onOpenOrder: (orderId: string) => void;
  onNext: () => void;
}

/** The result of the submitted order, and its receipt; it goes when the next order begins. */
export function Submitted({ receipt, onOpenOrder, onNext }: SubmittedProps) {
  const { orderId } = receipt;
  const open = useRef<HTMLButtonElement>(null);
  const shown = useRef(false);
  useEffect(() => {
    if (!shown.current) open.current?.focus(); // not when the counter is come back to
    shown.current = true;
  }, []);
  const { data: written, clear, ...task } = useTask('document.export', 'Submitted');
  useEffect(() => clear, [clear]); // it was of this order
  const mayWrite = useEntry('document.export')?.available ?? false;
  const write = () => {
    if (!task.running) task.start({ kind: 'receipt', format: 'pdf', orderId });
  };
  useKeys(mayWrite ? { F4: write } : {});
  return (
    <>
      <div className={classes.done} role="status">
        <Text fw={600}>{i18n._('Order {order} is placed', { order: orderId })}</Text>
        <Text>
          {i18n._('{total} recorded. Estimated delivery {day}.', {
            total: formatMoney(receipt.total),
            day: formatDay(receipt.estimatedDelivery),
          })}
        </Text>
        <Group gap="xs" mt="xs">
          <Button ref={open} onClick={() => onOpenOrder(orderId)}>
            {i18n._('Open order')}
          </Button>
          {mayWrite && (
            <Button
              variant="default"
              rightSection={<Kbd>F4</Kbd>}
              aria-keyshortcuts="F4"
              disabled={task.running}
              onClick={write}
            >
              {i18n._('Receipt')}
            </Button>
          )}
          <Button variant="default" rightSection={<Kbd>F3</Kbd>} aria-keyshortcuts="F3" onClick={onNext}>
            {i18n._('Next customer')}
          </Button>
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
