import { Button, Group, Modal, Stack, Textarea } from '@mantine/core';
import type { Request } from '../../../bridge/capabilities';
import { enumOf } from '../../../bridge/schema';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { cancelReasons } from '../../../shop/vocabulary';
import { ActionButton } from '../../../ui/form/ActionButton';
import { ErrorAt, FieldErrors } from '../../../ui/form/FieldErrors';
import { Select } from '../../../ui/form/Select';
import { useFocusBack } from '../../../ui/keys/useFocusBack';
import { useLasting } from '../../../ui/window/useKept';

type Reason = Request<'order.cancel'>['reason'];

/** Asks for the reason and cancels the order; what is given back is recorded, no money moves. */
export function CancelOrder({ orderId, onClose }: { orderId: string; onClose: () => void }) {
  const reasons = enumOf<Reason>(useEntry('order.cancel')?.input_schema, 'reason');
  const [reason, setReason] = useLasting<Reason | null>(`reason to cancel ${orderId}`, null);
  const [note, setNote] = useLasting(`words to cancel ${orderId}`, '');
  useFocusBack();
  const cancel = useInvoke('order.cancel', { source: 'CancelOrder', once: `cancelling ${orderId}` });
  return (
    <Modal opened onClose={onClose} title={i18n._('Cancel order {order}', { order: orderId })} size="sm">
      <Stack gap="sm">
        <FieldErrors call={cancel}>
          <ErrorAt pointer="/reason">
            <Select
              data-autofocus
              label={i18n._('Reason')}
              placeholder={i18n._('Choose one')}
              data={reasons.map((value) => ({ value, label: cancelReasons[value] }))}
              value={reason}
              onChange={setReason}
            />
          </ErrorAt>
          <ErrorAt pointer="/note">
            <Textarea
              label={i18n._('Note')}
              placeholder={i18n._('Optional')}
              value={note}
              onChange={(e) => setNote(e.currentTarget.value)}
            />
          </ErrorAt>
        </FieldErrors>
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {i18n._('Keep the order')}
          </Button>
          <ActionButton
            color="brick"
            loading={cancel.isPending}
            disabledReason={reason ? undefined : i18n._('Choose a reason first.')}
            onClick={() =>
              reason && cancel.mutate({ orderId, reason, note: note.trim() || undefined }, { onDone: onClose })
            }
          >
            {i18n._('Cancel order and record the refund')}
          </ActionButton>
        </Group>
      </Stack>
    </Modal>
  );
}
