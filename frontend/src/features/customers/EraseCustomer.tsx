import { List, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { FormDialog } from '../../ui/form/FormDialog';

interface EraseCustomerProps {
  customer: { id: string; name: string };
  onClose: () => void;
  onErased: () => void;
}

/** Asks once more, and erases a customer for good. */
export function EraseCustomer({ customer, onClose, onErased }: EraseCustomerProps) {
  const erase = useInvoke('customer.erase', { source: 'EraseCustomer', once: true });
  return (
    <FormDialog
      title={i18n._('Erase {name}', { name: customer.name })}
      submit={i18n._('Erase for good')}
      leave={i18n._('Keep the customer')}
      danger
      call={erase}
      onSubmit={() => erase.mutate({ customerId: customer.id }, { onDone: onErased })}
      onClose={onClose}
    >
      <Text>{i18n._('This cannot be taken back:')}</Text>
      <List size="sm" spacing={4}>
        <List.Item>
          {i18n._('Name, contact, addresses, payment methods, carts and notes go, in the audit log too.')}
        </List.Item>
        <List.Item>{i18n._('Orders stay for the books, with nothing personal in them.')}</List.Item>
        <List.Item>{i18n._('What is left on gift cards lapses.')}</List.Item>
      </List>
    </FormDialog>
  );
}
