import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useEntry, useInvoke } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import { humanize } from '../../ui/format';
import { Problem } from '../../ui/Note';

/** Asks for the reason and cancels the order; what is given back is recorded, no money moves. */
export function CancelOrder({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const reasons = enumOf(useEntry('order.cancel')?.input_schema, 'reason');
  const [reason, setReason] = useState<string | null>(null);
  const [note, setNote] = useState('');
  const cancel = useInvoke('order.cancel', { source: 'CancelOrder', once: true });
  return (
    <Modal opened onClose={onClose} title={`Cancel order ${orderId}`} size="sm">
      <Stack gap="sm">
        <Select
          data-autofocus
          label="Reason"
          placeholder="Choose one"
          data={reasons.map((value) => ({ value, label: humanize(value) }))}
          value={reason}
          onChange={setReason}
        />
        <Textarea label="Note" placeholder="Optional" value={note} onChange={(e) => setNote(e.currentTarget.value)} />
        {cancel.error && <Problem message={cancel.error.message} hint={cancel.error.recoveryHint} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            Keep the order
          </Button>
          <Button
            color="brick"
            loading={cancel.isPending}
            onClick={() =>
              cancel.mutate({ orderId, reason: reason ?? '', note: note.trim() || undefined }, { onSuccess: onClose })
            }
          >
            Cancel order and record the refund
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
