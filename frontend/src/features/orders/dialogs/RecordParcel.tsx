import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { keyOf } from '../../../shop/lines';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useForm } from '../../../ui/form/useForm';
import { lineName, unshipped } from '../items';

/** Records a parcel: what is in it, and the number the carrier gave. */
export function RecordParcel({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const lines = unshipped(order);
  const known = { chosen: lines.map(keyOf), tracking: '' };
  const { values, change } = useForm(`parcel of ${order.id}`, known);
  const { chosen, tracking } = values;
  const fulfil = useInvoke('order.fulfil', { source: 'OrderActions', once: `parcel of ${order.id}` });
  const inside = lines.filter((line) => chosen.includes(keyOf(line)));
  const [variantIds, lineIds] = [inside.map(({ variantId }) => variantId), inside.map(({ lineId }) => lineId)];
  const ids = variantIds.every(Boolean) ? { variantIds } : { lineIds };
  const trackingId = tracking.trim() || undefined;
  return (
    <FormDialog
      title={i18n._('Parcel of order {order}', { order: order.id })}
      submit={i18n._('Record the parcel')}
      disabledReason={chosen.length === 0 ? i18n._('Choose what is in it.') : undefined}
      call={fulfil}
      onSubmit={() => fulfil.mutate({ orderId: order.id, trackingId, ...ids }, { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/variantIds">
        <Checkbox.Group
          label={i18n._('In the parcel')}
          size="xs"
          value={chosen}
          onChange={(next) => change({ chosen: next })}
        >
          <Stack gap={8} mt={6}>
            {lines.map((line) => (
              <Checkbox
                key={keyOf(line)}
                size="xs"
                value={keyOf(line)}
                label={`${line.quantity} × ${lineName(line)}`}
              />
            ))}
          </Stack>
        </Checkbox.Group>
      </ErrorAt>
      <ErrorAt pointer="/trackingId">
        <TextInput
          data-autofocus
          label={i18n._('Tracking number')}
          placeholder={i18n._('Optional')}
          value={tracking}
          onChange={(event) => change({ tracking: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
