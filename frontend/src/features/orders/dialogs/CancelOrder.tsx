import { Textarea } from '@mantine/core';
import type { Request } from '../../../bridge/capabilities';
import { enumOf } from '../../../bridge/schema';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { cancelReasons } from '../../../shop/vocabulary';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { Select } from '../../../ui/form/Select';
import { useForm } from '../../../ui/form/useForm';

type Reason = Request<'order.cancel'>['reason'];

/** Asks for the reason and cancels the order; what is given back is recorded, no money moves. */
export function CancelOrder({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const reasons = enumOf<Reason>(useEntry('order.cancel')?.input_schema, 'reason');
  const known: { reason: Reason | null; note: string } = { reason: null, note: '' };
  const { values, change } = useForm(`cancelling ${orderId}`, known);
  const { reason, note } = values;
  const cancel = useInvoke('order.cancel', { source: 'CancelOrder', once: `cancelling ${orderId}` });
  return (
    <FormDialog
      title={i18n._('Cancel order {order}', { order: orderId })}
      submit={i18n._('Cancel order and record the refund')}
      leave={i18n._('Keep the order')}
      color="brick"
      disabledReason={reason ? undefined : i18n._('Choose a reason first.')}
      call={cancel}
      onSubmit={() => reason && cancel.mutate({ orderId, reason, note: note.trim() || undefined }, { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/reason">
        <Select
          data-autofocus
          label={i18n._('Reason')}
          placeholder={i18n._('Choose one')}
          data={reasons.map((value) => ({ value, label: cancelReasons[value] }))}
          value={reason}
          onChange={(next) => change({ reason: next })}
        />
      </ErrorAt>
      <ErrorAt pointer="/note">
        <Textarea
          label={i18n._('Note')}
          placeholder={i18n._('Optional')}
          value={note}
          onChange={(e) => change({ note: e.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
