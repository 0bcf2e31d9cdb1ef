import { Checkbox, Stack, TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useLasting } from '../../../ui/window/useKept';
import { lineName, unshipped } from '../items';

/** Records a parcel: what is in it, and the number the carrier gave. */
export function RecordParcel({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const lines = unshipped(order);
  const [chosen, setChosen] = useLasting(`parcel of ${order.id}`, () => lines.map(({ variantId }) => variantId));
  const [tracking, setTracking] = useLasting(`tracking of ${order.id}`, '');
  const fulfil = useInvoke('order.fulfil', { source: 'OrderActions', once: `parcel of ${order.id}` });
  const trackingId = tracking.trim() || undefined;
  return (
    <FormDialog
      title={i18n._('Parcel of order {order}', { order: order.id })}
      submit={i18n._('Record the parcel')}
      disabledReason={chosen.length === 0 ? i18n._('Choose what is in it.') : undefined}
      call={fulfil}
      onSubmit={() => fulfil.mutate({ orderId: order.id, trackingId, variantIds: chosen }, { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/variantIds">
        <Checkbox.Group label={i18n._('In the parcel')} size="xs" value={chosen} onChange={setChosen}>
          <Stack gap={8} mt={6}>
            {lines.map((line) => (
              <Checkbox
                key={line.variantId}
                size="xs"
                value={line.variantId}
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
          onChange={(event) => setTracking(event.currentTarget.value)}
        />
      </ErrorAt>
    </FormDialog>
  );
}
