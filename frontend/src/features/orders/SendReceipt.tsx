import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';

/** Sends the receipt of an order by mail: to the customer, or where it is wanted. */
export function SendReceipt({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [to, setTo] = useState(order.customer.email ?? '');
  const send = useInvoke('email.sendReceipt', { source: 'SendReceipt', once: true });
  return (
    <FormDialog
      title={`Receipt of order ${order.id}`}
      submit="Send the receipt"
      disabledReason={to.trim() === '' ? 'Fill in: To.' : undefined}
      pending={send.isPending}
      error={send.error}
      onSubmit={() => send.mutate({ orderId: order.id, to: to.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        label="To"
        inputMode="email"
        value={to}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
