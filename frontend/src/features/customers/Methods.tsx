import { Text } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import type { Response } from '../../bridge/capabilities';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { IconAction } from '../../ui/form/IconAction';
import { Badge } from '../../ui/page/Badge';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { useLasting } from '../../ui/window/useKept';
import { AddMethod } from './AddMethod';
import { aboutMethod } from './addressesAndMethods';

/** Stands for a new one where others have their ids. */
const ADD = 'add';

/** How a customer pays, beside cash. */
export function Methods({ customer }: { customer: Response<'customer.get'> }) {
  const [open, setOpen] = useLasting<string | undefined>(`methods of ${customer.id}`, undefined);
  const chosen = customer.paymentMethods.find(({ id }) => id === open);
  const refused = useRefusal('customer.addPaymentMethod');
  const kept = useRefusal('customer.removePaymentMethod');
  const close = () => setOpen(undefined);
  return (
    <Part
      title={i18n._('Payment methods')}
      actions={
        <ActionButton variant="default" disabledReason={refused} onClick={() => setOpen(ADD)}>
          {i18n._('Add a payment method')}
        </ActionButton>
      }
    >
      {customer.paymentMethods.length === 0 && <Text c="dimmed">{i18n._('None saved; cash is always possible.')}</Text>}
      <ul className={page.rows}>
        {customer.paymentMethods.map((method) => (
          <li key={method.id}>
            <div className={page.grow}>
              <Text fw={500}>
                {method.label} {method.default && <Badge>{i18n._('Default')}</Badge>}
              </Text>
              <Text size="xs" c="dimmed">
                {aboutMethod(method)}
              </Text>
            </div>
            {method.kind !== 'cash' && (
              <IconAction
                label={i18n._('Remove {name}', { name: method.label })}
                disabledReason={kept}
                onClick={() => setOpen(method.id)}
              >
                <IconTrash size={15} aria-hidden />
              </IconAction>
            )}
          </li>
        ))}
      </ul>
      {open === ADD && <AddMethod customerId={customer.id} onClose={close} />}
      {chosen && (
        <CapabilityDialog
          danger
          name="customer.removePaymentMethod"
          source="Methods"
          about={{ customerId: customer.id, paymentMethodId: chosen.id }}
          title={i18n._('Remove {name}', { name: chosen.label })}
          submit={i18n._('Remove the payment method')}
          leave={i18n._('Keep it')}
          onClose={close}
        >
          <Text>{i18n._('What was paid by it stays recorded as it is.')}</Text>
        </CapabilityDialog>
      )}
    </Part>
  );
}
