import { Textarea } from '@mantine/core';
import type { Request } from '../bridge/capabilities';
import { i18n } from '../language/i18n';
import { useInvoke } from '../queries/useInvoke';
import { ErrorAt } from '../ui/form/FieldErrors';
import { FormDialog } from '../ui/form/FormDialog';
import { useLasting } from '../ui/window/useKept';

type NoteName = 'customer.addNote' | 'order.addNote';

interface NoteDialogProps<N extends NoteName> {
  capability: N;
  /** The record the note is about, and its name in the title. */
  about: Omit<Request<N>, 'text'>;
  id: string;
  title: string;
  source: string;
  onClose: () => void;
}

/** Adds a note for the people at the desk to a record; the customer never sees it. */
export function NoteDialog<N extends NoteName>({ capability, about, id, title, source, onClose }: NoteDialogProps<N>) {
  const key = `note on ${id}`;
  const [text, setText] = useLasting(key, '');
  const add = useInvoke(capability, { source, once: key });
  return (
    <FormDialog
      {...{ title, onClose }}
      submit={i18n._('Add the note')}
      disabledReason={text.trim() === '' ? i18n._('Write something first.') : undefined}
      call={add}
      onSubmit={() => add.mutate({ ...about, text: text.trim() } as Request<N>, { onDone: onClose })}
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
