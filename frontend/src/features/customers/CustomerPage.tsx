import { Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';
import type { Place } from '../../shop/navigation';
import { ActionButton } from '../../ui/form/ActionButton';
import { Facts } from '../../ui/page/Facts';
import { Loading } from '../../ui/page/Loading';
import { MoreMenu } from '../../ui/page/MoreMenu';
import { Problem } from '../../ui/page/Note';
import { BackButton, Page, PageBody, Part, Split } from '../../ui/page/Page';
import { PageHead } from '../../ui/page/PageHead';
import { useLasting } from '../../ui/window/useKept';
import { Addresses } from './Addresses';
import { CustomerOrders } from './CustomerOrders';
import { EditContact } from './EditContact';
import { EraseCustomer } from './EraseCustomer';
import { MergeCustomer } from './MergeCustomer';
import { Methods } from './Methods';
import { Notes } from './Notes';

interface CustomerPageProps {
  customerId: string;
  onGo: (place: Place) => void;
}

const source = { source: 'CustomerPage' };

/** One customer: how to reach them, where things go, how they pay and what they ordered. */
export function CustomerPage({ customerId, onGo }: CustomerPageProps) {
  const [open, setOpen] = useLasting<'edit' | 'merge' | 'erase' | undefined>(`customer ${customerId}`, undefined);
  const { data: customer, error, refetch } = useCapability('customer.get', { customerId }, source);
  const refused = {
    sell: useRefusal('cart.setCustomer'),
    edit: useRefusal('customer.update'),
    merge: useRefusal('customer.merge'),
    erase: useRefusal('customer.erase'),
  };
  const sell = useInvoke('cart.setCustomer', source);
  const back = () => onGo({ page: 'customers' });
  const close = () => setOpen(undefined);
  const erased = () => {
    close();
    back();
  };

  return (
    <Page>
      <PageHead
        title={customer?.name ?? i18n._('Customer')}
        before={<BackButton label={i18n._('All customers')} onClick={back} />}
      >
        {customer && (
          <>
            <ActionButton
              loading={sell.isPending}
              disabledReason={refused.sell}
              onClick={() => sell.mutate({ customerId }, { onDone: () => onGo({ page: 'counter' }) })}
            >
              {i18n._('New order')}
            </ActionButton>
            <MoreMenu
              items={[
                {
                  ...{ key: 'merge', title: i18n._('Merge with another record'), refused: refused.merge },
                  help: i18n._('The same person stands twice in the list'),
                  onClick: () => setOpen('merge'),
                },
                {
                  ...{ key: 'erase', title: i18n._('Erase'), refused: refused.erase },
                  help: i18n._('Everything about them, for good'),
                  onClick: () => setOpen('erase'),
                },
              ]}
            />
          </>
        )}
      </PageHead>
      {(error ?? sell.error) && (
        <Problem
          message={(error ?? sell.error)?.message ?? ''}
          hint={(error ?? sell.error)?.recoveryHint}
          onRetry={error ? refetch : undefined}
        />
      )}
      {!customer && !error && <Loading label={i18n._('Reading the customer')} />}
      {customer && (
        <PageBody label={i18n._('Customer')}>
          <Split
            side={
              <>
                <Addresses customer={customer} />
                <Methods customer={customer} />
              </>
            }
          >
            <Part
              title={i18n._('Contact')}
              actions={
                <ActionButton variant="default" disabledReason={refused.edit} onClick={() => setOpen('edit')}>
                  {i18n._('Change contact')}
                </ActionButton>
              }
            >
              <Facts
                facts={[
                  [i18n._('Name'), customer.name],
                  [i18n._('Email'), customer.email || <Text c="dimmed">{i18n._('None')}</Text>],
                  [i18n._('Phone'), customer.phone || <Text c="dimmed">{i18n._('None')}</Text>],
                ]}
              />
            </Part>
            <Notes customer={customer} />
            <CustomerOrders customerId={customerId} onOpenOrder={(id) => onGo({ page: 'orders', id })} />
          </Split>
        </PageBody>
      )}
      {customer && open === 'edit' && <EditContact customer={customer} onClose={close} />}
      {customer && open === 'merge' && <MergeCustomer customer={customer} onClose={close} />}
      {customer && open === 'erase' && <EraseCustomer customer={customer} onClose={close} onErased={erased} />}
    </Page>
  );
}
