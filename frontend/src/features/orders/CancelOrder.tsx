import { Button, Group, Modal, Select, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { Request } from '../../bus/client';
import { useEntry, useInvoke } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import { ActionButton } from '../../ui/ActionButton';
import { humanize } from '../../ui/format';
import { Problem } from '../../ui/Note';
import { useFocusBack } from '../../ui/useFocusBack';

type Reason = Request<'order.cancel'>['reason'];

/** Asks for the reason and cancels the order; what is given back is recorded, no money moves. */
export function CancelOrder({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const reasons = enumOf<Reason>(useEntry('order.cancel')?.input_schema, 'reason');
  const [reason, setReason] = useState<Reason | null>(null);
  const [note, setNote] = useState('');
  useFocusBack();
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
          <ActionButton
            color="brick"
            loading={cancel.isPending}
            disabledReason={reason ? undefined : 'Choose a reason first.'}
            onClick={() =>
              reason && cancel.mutate({ orderId, reason, note: note.trim() || undefined }, { onSuccess: onClose })
            }
          >
            Cancel order and record the refund
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}
