import { Button, Group, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { Response } from '../../bus/client';
import { formatDay, formatMoney } from '../../ui/format';
import classes from './Counter.module.css';

interface SubmittedProps {
  receipt: Response<'checkout.submit'>;
  onOpenOrder: (orderId: string) => void;
  onDismiss: () => void;
}

/** What came of the order that was just submitted. */
export function Submitted({ receipt, onOpenOrder, onDismiss }: SubmittedProps) {
  const open = useRef<HTMLButtonElement>(null);
  useEffect(() => open.current?.focus(), []);
  return (
    <div className={classes.done} role="status">
      <Text fw={600}>Order {receipt.orderId} is placed</Text>
      <Text>
        {formatMoney(receipt.total)} recorded. Estimated delivery {formatDay(receipt.estimatedDelivery)}.
      </Text>
      <Group gap="xs" mt="xs">
        <Button ref={open} onClick={() => onOpenOrder(receipt.orderId)}>
          Open order
        </Button>
        <Button variant="default" onClick={onDismiss}>
          Next customer
        </Button>
      </Group>
    </div>
  );
}
