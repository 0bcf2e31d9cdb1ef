import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
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
      {open && (
        <CapabilityDialog
          name="customer.addNote"
          source="Notes"
          about={{ customerId: customer.id }}
          title={i18n._('Note on {name}', { name: customer.name })}
          submit={i18n._('Add the note')}
          onClose={() => setOpen(false)}
        />
      )}
    </Part>
  );
}
