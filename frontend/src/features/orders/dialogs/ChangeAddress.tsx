import { Radio, Stack } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { addressFields, addressOf } from '../../../shop/address';
import { useAddressDraft } from '../../../shop/useAddressDraft';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { missing } from '../../../ui/form/fields';
import { TextFields } from '../../../ui/form/TextFields';
import { useLasting } from '../../../ui/window/useKept';

const ANOTHER = 'another';

/** Sends an order somewhere else: to a saved address, or one that is typed for it alone. */
export function ChangeAddress({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [chosen, setChosen] = useLasting<string | null>(
    `goes to of ${order.id}`,
    order.savedAddresses.length === 0 ? ANOTHER : null,
  );
  const [draft, setDraft] = useAddressDraft(`address of ${order.id}`);
  const change = useInvoke('order.changeAddress', { source: 'OrderActions' });
  const reason =
    chosen === ANOTHER ? missing(addressFields, draft) : chosen ? undefined : i18n._('Choose where it goes.');
  const save = () => {
    if (!chosen) return;
    const to = chosen === ANOTHER ? { address: addressOf(draft) } : { addressId: chosen };
    change.mutate({ orderId: order.id, ...to }, { onDone: onClose });
  };
  return (
    <FormDialog
      title={i18n._('Address of order {order}', { order: order.id })}
      submit={i18n._('Change the address')}
      disabledReason={reason}
      call={change}
      onSubmit={save}
      onClose={onClose}
    >
      <ErrorAt pointer="/addressId">
        <Radio.Group label={i18n._('Send to')} size="xs" value={chosen} onChange={setChosen}>
          <Stack gap={8} mt={6}>
            {order.savedAddresses.map(({ id, label, text }) => (
              <Radio key={id} size="xs" value={id} label={label ? `${label}: ${text}` : text} />
            ))}
            <Radio size="xs" value={ANOTHER} label={i18n._('Another address, for this order only')} />
          </Stack>
        </Radio.Group>
      </ErrorAt>
      {chosen === ANOTHER && <TextFields at="/address" fields={addressFields} draft={draft} onChange={setDraft} />}
    </FormDialog>
  );
}
