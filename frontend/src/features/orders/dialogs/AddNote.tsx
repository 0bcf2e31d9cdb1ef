import { Textarea } from '@mantine/core';
import { useInvoke } from '../../../asking/useInvoke';
import type { Response } from '../../../door/capabilities';
import { i18n } from '../../../language/i18n';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { FormDialog } from '../../../ui/form/FormDialog';
import { useLasting } from '../../../ui/window/useKept';

/** Writes down what the people at the desk should know; the customer never sees it. */
export function AddNote({ order, onClose }: { order: Response<'order.get'>; onClose: () => void }) {
  const [text, setText] = useLasting(`note on ${order.id}`, '');
  const add = useInvoke('order.addNote', { source: 'OrderActions', once: `note on ${order.id}` });
  return (
    <FormDialog
      title={i18n._('Note on order {order}', { order: order.id })}
      submit={i18n._('Add the note')}
      disabledReason={text.trim() === '' ? i18n._('Write something first.') : undefined}
      call={add}
      onSubmit={() => add.mutate({ orderId: order.id, text: text.trim() }, { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/text">
        <Textarea
          data-autofocus
          label={i18n._('Note')}
          description={i18n._('For the people at the desk; it is not sent to the customer')}
          autosize
          minRows={3}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </ErrorAt>
    </FormDialog>
  );
}
