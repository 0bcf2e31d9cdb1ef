import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useInvoke } from '../../bus/hooks';
import { addressFields, addressOf } from '../../ui/address';
import { FormDialog } from '../../ui/FormDialog';
import { draftOf, missing } from '../../ui/fields';
import { TextFields } from '../../ui/TextFields';

const ANOTHER = 'another';

/** Sends an order somewhere else: to a saved address, or one that is typed for it alone. */
export function ChangeAddress({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(order.savedAddresses.length === 0 ? ANOTHER : null);
  const [draft, setDraft] = useState(draftOf(addressFields));
  const change = useInvoke('order.changeAddress', { source: 'OrderActions' });
  const reason = chosen === ANOTHER ? missing(addressFields, draft) : chosen ? undefined : 'Choose where it goes.';
  const save = () => {
    if (!chosen) return;
    const to = chosen === ANOTHER ? { address: addressOf(draft) } : { addressId: chosen };
    change.mutate({ orderId: order.id, ...to }, { onSuccess: onClose });
  };
  return (
    <FormDialog
      title={`Address of order ${order.id}`}
      submit="Change the address"
      disabledReason={reason}
      pending={change.isPending}
      error={change.error}
      onSubmit={save}
      onClose={onClose}
    >
      <Radio.Group label="Send to" size="xs" value={chosen} onChange={setChosen}>
        <Stack gap={8} mt={6}>
          {order.savedAddresses.map(({ id, label, text }) => (
            <Radio key={id} size="xs" value={id} label={label ? `${label}: ${text}` : text} />
          ))}
          <Radio size="xs" value={ANOTHER} label="Another address, for this order only" />
        </Stack>
      </Radio.Group>
      {chosen === ANOTHER && <TextFields fields={addressFields} draft={draft} onChange={setDraft} />}
    </FormDialog>
  );
}
