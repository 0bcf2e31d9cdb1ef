import { Text } from '@mantine/core';
import { IconPencil, IconStar, IconTrash } from '@tabler/icons-react';
import type { Response } from '../../bridge/capabilities';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { IconAction } from '../../ui/form/IconAction';
import { Badge } from '../../ui/page/Badge';
import { Problem } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { useLasting } from '../../ui/window/useKept';
import { type SavedAddress, sentAgain } from './addressesAndMethods';
import { EditAddress } from './EditAddress';

const source = { source: 'Addresses' };

/** The dialog that is open, and of which address. */
type Open = { what: 'add'; id?: undefined } | { what: 'change' | 'remove'; id: string };

/** Where a customer has things sent to. */
export function Addresses({ customer }: { customer: Response<'customer.get'> }) {
  const { id: customerId, addresses } = customer;
  const [open, setOpen] = useLasting<Open | undefined>(`addresses of ${customerId}`, undefined);
  const chosen = addresses.find(({ id }) => id === open?.id);
  const refused = useRefusal('customer.addAddress');
  const fixed = useRefusal('customer.setAddress');
  const kept = useRefusal('customer.removeAddress');
  const set = useInvoke('customer.setAddress', source);
  const close = () => setOpen(undefined);
  const prefer = (address: SavedAddress) =>
    set.mutate({ customerId, addressId: address.id, address: sentAgain(address), default: true });

  return (
    <Part
      title={i18n._('Addresses')}
      actions={
        <ActionButton variant="default" disabledReason={refused} onClick={() => setOpen({ what: 'add' })}>
          {i18n._('Add an address')}
        </ActionButton>
      }
    >
      {addresses.length === 0 && <Text c="dimmed">{i18n._('None saved yet.')}</Text>}
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      <ul className={page.rows}>
        {addresses.map((address) => (
          <li key={address.id}>
            <div className={page.grow}>
              <Text fw={500}>
                {address.label || i18n._('Address')} {address.default && <Badge>{i18n._('Default')}</Badge>}
              </Text>
              <Text size="xs" c="dimmed">
                {address.text}
              </Text>
            </div>
            {!address.default && (
              <IconAction
                label={i18n._('Make {name} the default', { name: named(address) })}
                disabledReason={fixed}
                onClick={() => prefer(address)}
              >
                <IconStar size={15} aria-hidden />
              </IconAction>
            )}
            <IconAction
              label={i18n._('Change {name}', { name: named(address) })}
              disabledReason={fixed}
              onClick={() => setOpen({ what: 'change', id: address.id })}
            >
              <IconPencil size={15} aria-hidden />
            </IconAction>
            <IconAction
              label={i18n._('Remove {name}', { name: named(address) })}
              disabledReason={kept}
              onClick={() => setOpen({ what: 'remove', id: address.id })}
            >
              <IconTrash size={15} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      {open?.what === 'add' && <EditAddress customerId={customerId} onClose={close} />}
      {open?.what === 'change' && chosen && <EditAddress customerId={customerId} address={chosen} onClose={close} />}
      {open?.what === 'remove' && chosen && (
        <CapabilityDialog
          danger
          name="customer.removeAddress"
          source="Addresses"
          about={{ customerId, addressId: chosen.id }}
          title={i18n._('Remove {name}', { name: named(chosen) })}
          submit={i18n._('Remove the address')}
          leave={i18n._('Keep it')}
          onClose={close}
        >
          <Text>{chosen.text}</Text>
          <Text c="dimmed">{i18n._('Orders that were sent there keep it.')}</Text>
        </CapabilityDialog>
      )}
    </Part>
  );
}

const named = ({ label, line1 }: SavedAddress) => label || line1;
