import { Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';

/** Writes down what the people at the desk should know; the customer never sees it. */
export function AddNote({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [text, setText] = useState('');
  const add = useInvoke('order.addNote', { source: 'OrderActions', once: true });
  return (
    <FormDialog
      title={`Note on order ${order.id}`}
      submit="Add the note"
      disabledReason={text.trim() === '' ? 'Write something first.' : undefined}
      pending={add.isPending}
      error={add.error}
      onSubmit={() => add.mutate({ orderId: order.id, text: text.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Textarea
        data-autofocus
        label="Note"
        description="For the people at the desk; it is not sent to the customer"
        autosize
        minRows={3}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
