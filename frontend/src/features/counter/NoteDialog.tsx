import { Textarea } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { named } from '../../shop/lines';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';

type Cart = Response<'cart.getSummary'>;

interface NoteDialogProps {
  cart: Cart;
  /** The line that it is of; absent: the whole cart. */
  line?: Cart['items'][number];
  onClose: () => void;
}

/** Writes the note of the cart or of one line. */
export function NoteDialog({ cart, line, onClose }: NoteDialogProps) {
  const { values, change } = useForm(undefined, { text: (line ? line.note : cart.note) ?? '' });
  const { text } = values;
  const set = useInvoke('cart.setNote', { source: 'NoteDialog', once: true });
  const save = () => set.mutate({ text: text.trim(), ...(line && named(line)) }, { onDone: onClose });
  return (
    <FormDialog
      title={line ? i18n._('Note on {name}', { name: line.name }) : i18n._('Note on the cart')}
      submit={i18n._('Keep the note')}
      call={set}
      onSubmit={save}
      onClose={onClose}
    >
      <ErrorAt pointer="/text">
        <Textarea
          data-autofocus
          autosize
          minRows={2}
          maxRows={6}
          label={i18n._('Note')}
          description={
            line
              ? i18n._('It stands on the receipt, under the line.')
              : i18n._('It goes with the order, for the people here.')
          }
          value={text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
