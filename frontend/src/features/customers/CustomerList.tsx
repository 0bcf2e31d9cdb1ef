import { IconUserPlus } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import type { Response } from '../../bridge/capabilities';
import { RecordsPage } from '../../kit/lists/RecordsPage';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ExportSelected } from '../../shop/ExportSelected';
import { useSearched } from '../../shop/useSearchedList';
import { ActionButton } from '../../ui/form/ActionButton';
import { cell, head } from '../../ui/list/cells';
import row from '../../ui/list/Row.module.css';
import { Empty } from '../../ui/page/Note';
import { useLasting } from '../../ui/window/useKept';
import classes from './Customers.module.css';
import { NewCustomer } from './NewCustomer';

type Customer = Response<'customer.search'>['customers'][number];

const customersOf = (page: { customers: Customer[] }) => page.customers;
const idOf = (customer: Customer) => customer.id;
const rowOf = (customer: Customer) => (
  <div className={classes.row}>
    <span {...cell} className={`${row.cell} ${row.name}`}>
      {customer.name}
    </span>
    <span {...cell} className={row.cell}>
      {customer.email}
    </span>
    <span {...cell} className={row.cell}>
      {customer.phone}
    </span>
  </div>
);

interface CustomerListProps {
  onOpen: (customerId: string) => void;
  importButton: ReactNode;
}

/** Every customer, searched by name, email or phone. */
export const CustomerList = memo(function CustomerList({ onOpen, importButton }: CustomerListProps) {
  const [adding, setAdding] = useLasting('new customer', false);
  const created = (id: string) => {
    setAdding(false);
    onOpen(id);
  };
  const { query, exportingSome, ...list } = useSearched('customer.search', {
    source: 'CustomerList',
    kind: 'customers',
    rowsOf: customersOf,
    keyOf: idOf,
  });
  const disabledReason = useRefusal('customer.create');

  return (
    <>
      <RecordsPage
        {...list}
        entity="customer"
        title={i18n._('Customers')}
        id="customers"
        label={i18n._('Search customers')}
        placeholder={i18n._('Name, email or phone  ( / )')}
        nouns={[i18n._('customer'), i18n._('customers')]}
        after={
          <>
            {importButton}
            <ActionButton
              leftSection={<IconUserPlus size={15} aria-hidden />}
              disabledReason={disabledReason}
              onClick={() => setAdding(true)}
            >
              {i18n._('Add a customer')}
            </ActionButton>
          </>
        }
        columns={
          <div className={classes.row}>
            <span {...head}>{i18n._('Name')}</span>
            <span {...head}>{i18n._('Email')}</span>
            <span {...head}>{i18n._('Phone')}</span>
          </div>
        }
        renderRow={rowOf}
        actions={<ExportSelected entity="customer" exporting={exportingSome} />}
        onOpen={(customer) => onOpen(customer.id)}
        empty={
          query || Object.keys(list.narrowing.values).length > 0 ? (
            <Empty
              title={i18n._('No customer found')}
              missing={list.missing}
              action={{ label: i18n._('Show all customers'), onClick: list.showAll }}
            >
              {i18n._('Try another part of the name, the email or the phone number.')}
            </Empty>
          ) : (
            <Empty
              title={i18n._('No customers yet')}
              action={
                disabledReason ? undefined : { label: i18n._('Add the first customer'), onClick: () => setAdding(true) }
              }
            >
              {i18n._('Add the first one, or import a file of them.')}
            </Empty>
          )
        }
      />
      {adding && <NewCustomer name={query} onClose={() => setAdding(false)} onCreated={created} />}
    </>
  );
});
