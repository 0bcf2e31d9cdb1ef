import { Radio, Stack } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { addressFields, addressOf } from '../../../shop/address';
import { useAddressForm } from '../../../shop/useAddressForm';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { missing } from '../../../ui/form/fields';
import { TextFields } from '../../../ui/form/TextFields';
import { useForm } from '../../../ui/form/useForm';

const ANOTHER = 'another';

/** Sends an order somewhere else: to a saved address, or one that is typed for it alone. */
export function ChangeAddress({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const { savedAddresses, shippingAddress } = order;
  const now = savedAddresses.find(({ id }) => id === shippingAddress?.id)?.id ?? null;
  const known: { chosen: string | null } = { chosen: savedAddresses.length === 0 ? ANOTHER : now };
  const to = useForm(`goes to of ${order.id}`, known);
  const { chosen } = to.values;
  const typed = useAddressForm(`address of ${order.id}`);
  const draft = typed.values;
  const change = useInvoke('order.changeAddress', { source: 'OrderActions' });
  const whyNot = () => {
    if (chosen === ANOTHER) return missing(addressFields, draft);
    if (!chosen) return i18n._('Choose where it goes.');
    return chosen === now ? i18n._('It goes there already.') : undefined;
  };
  const save = () => {
    if (!chosen) return;
    const where = chosen === ANOTHER ? { address: addressOf(draft) } : { addressId: chosen };
    change.mutate({ orderId: order.id, ...where }, { onDone: onClose });
  };
  return (
    <FormDialog
      title={i18n._('Address of order {order}', { order: order.id })}
      submit={i18n._('Change the address')}
      disabledReason={whyNot()}
      call={change}
      onSubmit={save}
      onClose={onClose}
    >
      <ErrorAt pointer="/addressId">
        <Radio.Group
          label={i18n._('Send to')}
          size="xs"
          value={chosen}
          onChange={(next) => to.change({ chosen: next })}
        >
          <Stack gap={8} mt={6}>
            {savedAddresses.map(({ id, label, text }) => (
              <Radio key={id} size="xs" value={id} label={label ? `${label}: ${text}` : text} />
            ))}
            <Radio size="xs" value={ANOTHER} label={i18n._('Another address, for this order only')} />
          </Stack>
        </Radio.Group>
      </ErrorAt>
      {chosen === ANOTHER && <TextFields at="/address" fields={addressFields} draft={draft} onChange={typed.change} />}
    </FormDialog>
  );
}
