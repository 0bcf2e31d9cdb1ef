import { Checkbox } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { addressFields, addressOf } from '../../shop/address';
import { useAddressForm } from '../../shop/useAddressForm';
import { FormDialog } from '../../ui/form/FormDialog';
import { draftOf, filled, missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { useForm } from '../../ui/form/useForm';
import { contactFields } from './contact';

interface NewCustomerProps {
  /** The searched words: most likely the name. */
  name: string;
  /** Whether an address is asked for at first. */
  address?: boolean;
  onClose: () => void;
  onCreated: (customerId: string) => void;
}

/** Adds a customer, with an address if one is known. */
export function NewCustomer({ name, address: asked = false, onClose, onCreated }: NewCustomerProps) {
  const form = useForm('new customer contact', { ...draftOf(contactFields, { name }), withAddress: asked });
  const { withAddress, ...contact } = form.values;
  const { values: address, change: changeAddress } = useAddressForm('new customer address');
  const create = useInvoke('customer.create', { source: 'NewCustomer', once: 'new customer contact' });
  const save = () =>
    create.mutate(
      { name: '', ...filled(contact), address: withAddress ? addressOf(address) : undefined },
      { onDone: ({ data }) => onCreated(data.customerId) },
    );
  return (
    <FormDialog
      title={i18n._('Add a customer')}
      submit={i18n._('Add the customer')}
      size="md"
      disabledReason={missing(contactFields, contact) ?? (withAddress ? missing(addressFields, address) : undefined)}
      call={create}
      onSubmit={save}
      onClose={onClose}
    >
      <TextFields first at="" fields={contactFields} draft={contact} onChange={form.change} />
      <Checkbox
        size="xs"
        label={i18n._('With an address')}
        checked={withAddress}
        onChange={(event) => form.change({ withAddress: event.currentTarget.checked })}
      />
      {withAddress && <TextFields at="/address" fields={addressFields} draft={address} onChange={changeAddress} />}
    </FormDialog>
  );
}
