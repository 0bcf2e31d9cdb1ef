import { Checkbox } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { addressFields, addressOf } from '../../shop/address';
import { useAddressForm } from '../../shop/useAddressForm';
import { FormDialog } from '../../ui/form/FormDialog';
import { missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { useForm } from '../../ui/form/useForm';
import type { SavedAddress } from './addressesAndMethods';

interface EditAddressProps {
  customerId: string;
  /** The address to change; absent: a new one. */
  address?: SavedAddress;
  onClose: () => void;
}

const source = { source: 'EditAddress' };

/** Adds an address to a customer, or puts another in the place of one. */
export function EditAddress({ customerId, address, onClose }: EditAddressProps) {
  const which = `address ${address?.id ?? 'new'} of ${customerId}`;
  const { values: draft, change } = useAddressForm(which, address);
  const { values, change: prefer } = useForm(`${which} preferred`, { preferred: address?.default ?? false });
  const { preferred } = values;
  const add = useInvoke('customer.addAddress', { ...source, once: which });
  const set = useInvoke('customer.setAddress', source);
  const save = () => {
    const args = { customerId, address: addressOf(draft), default: preferred };
    if (address) set.mutate({ ...args, addressId: address.id }, { onDone: onClose });
    else add.mutate(args, { onDone: onClose });
  };
  return (
    <FormDialog
      title={address ? i18n._('Change address') : i18n._('Add an address')}
      submit={address ? i18n._('Save') : i18n._('Add the address')}
      disabledReason={missing(addressFields, draft)}
      call={address ? set : add}
      onSubmit={save}
      onClose={onClose}
    >
      <TextFields first at="/address" fields={addressFields} draft={draft} onChange={change} />
      {!address?.default && (
        <Checkbox
          size="xs"
          label={i18n._('Use it unless another is named')}
          checked={preferred}
          onChange={(event) => prefer({ preferred: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}
