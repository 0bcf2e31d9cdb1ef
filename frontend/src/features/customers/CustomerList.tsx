import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconUserPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { usePages, useRefusal } from '../../bus/hooks';
import { useDocument } from '../../bus/useDocument';
import { ActionButton } from '../../ui/ActionButton';
import { ExportMenu, ExportStatus } from '../../ui/FileExport';
import { ListPage } from '../../ui/ListPage';
import { Empty } from '../../ui/Note';
import { useKept } from '../../ui/useKept';
import classes from './Customers.module.css';
import { NewCustomer } from './NewCustomer';

const source = { source: 'CustomerList' };

interface CustomerListProps {
  onOpen: (customerId: string) => void;
  importButton: ReactNode;
}

/** Every customer, by name or by what is known of them. */
export function CustomerList({ onOpen, importButton }: CustomerListProps) {
  const [text = '', setText] = useKept<string>('customers text');
  const [adding, setAdding] = useState(false);
  const [query] = useDebouncedValue(text.trim(), 150);
  const pages = usePages('customer.search', query ? { query, limit: 100 } : { limit: 100 }, source);
  const customers = pages.data?.pages.flatMap((page) => page.customers) ?? [];
  const disabledReason = useRefusal('customer.create');

  const { formats, write, task } = useDocument('customers', 'CustomerList');

  return (
    <>
      <ListPage
        title="Customers"
        id="customers"
        pages={pages}
        items={customers}
        keyOf={(customer) => customer.id}
        search={{ value: text, placeholder: 'Name, email or phone  ( / )', onChange: setText }}
        after={
          <>
            <ExportMenu
              formats={formats}
              busy={task.running}
              onStart={(format) => write(format, { query: query || undefined })}
            />
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
        task={<ExportStatus {...task} nouns={['customer', 'customers']} />}
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
