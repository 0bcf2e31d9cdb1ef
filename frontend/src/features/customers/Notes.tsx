import { Text, Textarea } from '@mantine/core';
import { useInvoke } from '../../asking/useInvoke';
import { useRefusal } from '../../asking/useManifest';
import type { Response } from '../../door/capabilities';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { useLasting } from '../../ui/window/useKept';

type Customer = Response<'customer.get'>;

/** What the people at the desk wrote down about a customer. */
export function Notes({ customer }: { customer: Customer }) {
  const [open, setOpen] = useLasting(`notes of ${customer.id}`, false);
  return (
    <Part
      title={i18n._('Notes')}
      actions={
        <ActionButton variant="default" disabledReason={useRefusal('customer.addNote')} onClick={() => setOpen(true)}>
          {i18n._('Add a note')}
        </ActionButton>
      }
    >
      {customer.notes.length === 0 && <Text c="dimmed">{i18n._('Nothing written down yet.')}</Text>}
      <ul className={page.rows}>
        {customer.notes.map(({ id, text, by, at }) => (
          <li key={id}>
            <div className={page.grow}>
              <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>
              <Text size="xs" c="dimmed">
                {by} · {formatTime(at)}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      {open && <AddNote customer={customer} onClose={() => setOpen(false)} />}
    </Part>
  );
}

/** Writes down what is worth knowing the next time; the customer never sees it. */
function AddNote({ customer, onClose }: { customer: Customer; onClose: () => void }) {
  const key = `note on ${customer.id}`;
  const [text, setText] = useLasting(key, '');
  const add = useInvoke('customer.addNote', { source: 'Notes', once: key });
  return (
    <FormDialog
      title={i18n._('Note on {name}', { name: customer.name })}
      submit={i18n._('Add the note')}
      disabledReason={text.trim() === '' ? i18n._('Write something first.') : undefined}
      call={add}
      onSubmit={() =>
        add.mutate(
          { customerId: customer.id, text: text.trim() },
          {
            onSuccess: () => {
              setText('');
              onClose();
            },
          },
        )
      }
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
