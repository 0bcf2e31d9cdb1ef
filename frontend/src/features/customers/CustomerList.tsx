import { Text } from '@mantine/core';
import { IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useRefusal } from '../../bus/hooks';
import { useSearched } from '../../bus/useSearched';
import { ActionButton } from '../../ui/ActionButton';
import { ListPage } from '../../ui/ListPage';
import { Empty } from '../../ui/Note';
import classes from './Customers.module.css';
import { NewCustomer } from './NewCustomer';

interface CustomerListProps {
  onOpen: (customerId: string) => void;
  importButton: ReactNode;
}

/** Every customer, by name or by what is known of them. */
export function CustomerList({ onOpen, importButton }: CustomerListProps) {
  const [adding, setAdding] = useState(false);
  const { query, ...list } = useSearched('customer.search', { source: 'CustomerList', kind: 'customers' });
  const customers = list.pages.data?.pages.flatMap((page) => page.customers) ?? [];
  const disabledReason = useRefusal('customer.create');

  return (
    <>
      <ListPage
        {...list}
        title="Customers"
        id="customers"
        items={customers}
        keyOf={(customer) => customer.id}
        placeholder="Name, email or phone  ( / )"
        nouns={['customer', 'customers']}
        after={
          <>
            {importButton}
            <ActionButton
              leftSection={<IconUserPlus size={15} aria-hidden />}
              disabledReason={disabledReason}
              onClick={() => setAdding(true)}
            >
              Add a customer
            </ActionButton>
          </>
        }
        columns={
          <div className={classes.row}>
            <span>Name</span>
            <span>Email</span>
            <span>Phone</span>
          </div>
        }
        renderRow={(customer) => (
          <div className={classes.row}>
            <Text truncate fw={500}>
              {customer.name}
            </Text>
            <Text truncate>{customer.email}</Text>
            <Text truncate>{customer.phone}</Text>
          </div>
        )}
        onOpen={(customer) => onOpen(customer.id)}
        empty={
          query ? (
            <Empty title="No customer found">Try another part of the name, the email or the phone number.</Empty>
          ) : (
            <Empty title="No customers yet">Add the first one, or import a file of them.</Empty>
          )
        }
      />
      {adding && <NewCustomer name={query} onClose={() => setAdding(false)} onCreated={onOpen} />}
    </>
  );
}
