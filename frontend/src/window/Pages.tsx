import { startTransition, useCallback, useEffect, useState } from 'react';
import { CounterPage, type CounterPageProps } from '../features/counter/CounterPage';
import { ImportButton } from '../features/imports/ImportButton';
import { readCalendars } from '../language/format';
import { i18n } from '../language/i18n';
import type { Place } from '../shop/navigation';
import { lazyPart } from '../ui/window/lazyPart';
import { whenIdle } from '../ui/window/whenIdle';
import { KeptPage } from './KeptPage';

const opening = () => i18n._('Opening the page');
const TodayPage = lazyPart(() => import('../features/reports/TodayPage'), opening);
const OrdersPage = lazyPart(() => import('../features/orders/OrdersPage'), opening);
const CustomersPage = lazyPart(() => import('../features/customers/CustomersPage'), opening);
const CatalogPage = lazyPart(() => import('../features/catalog/CatalogPage'), opening);
const AuditPage = lazyPart(() => import('../kit/audit/AuditPage'), opening);
const SettingsPage = lazyPart(() => import('../features/settings/SettingsPage'), opening);
const NewProduct = lazyPart(
  async () => ({ default: (await import('../features/catalog/NewProduct')).NewProduct }),
  opening,
);
const NewCustomer = lazyPart(
  async () => ({ default: (await import('../features/customers/NewCustomer')).NewCustomer }),
  opening,
);
const ReportsPage = lazyPart(() => import('../features/reports/ReportsPage'), opening);

/** What one page takes from another folder. Props that stay the same keep a page from being drawn again when it is hidden. */
const newProduct: CounterPageProps['newProduct'] = (props) => <NewProduct {...props} />;
const newCustomer: CounterPageProps['newCustomer'] = (props) => <NewCustomer {...props} />;
const importOrders = <ImportButton kind="orders" />;
const importCustomers = <ImportButton kind="customers" />;
const importProducts = <ImportButton kind="products" />;

/** The pages people go back and forth between: they stay when they are left. */
const staying: readonly Place['page'][] = ['counter', 'orders', 'customers', 'catalog'];
/** The pages that are drawn before they are opened. */
const drawn: readonly Place['page'][] = ['today', ...staying, 'reports', 'settings'];

/** The work that makes pages open faster, done in this sequence while the window is idle. */
const ahead = [
  () => Promise.all([TodayPage, OrdersPage, CustomersPage, CatalogPage].map(({ fetch }) => fetch())),
  ReportsPage.fetch,
  SettingsPage.fetch,
  readCalendars,
  AuditPage.fetch,
];

interface PagesProps {
  place: Place;
  onGo: (place: Place) => void;
  /** Whether the customer picker of the counter is open. */
  picking: boolean;
  onPick: (open: boolean) => void;
}

/** The page the window is at; all but the counter are loaded after the window is there, or when they are opened. */
export function Pages({ place, onGo, picking, onPick }: PagesProps) {
  const { page } = place;
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle([...ahead, () => startTransition(() => setIdle(true))]), []);
  const openOrder = useCallback((id: string) => onGo({ page: 'orders', id }), [onGo]);
  const id = (of: Place['page']) => (page === of ? place.id : undefined);
  const room = (of: Place['page']) => ({
    ...{ page: of, place, onGo },
    ahead: idle && drawn.includes(of),
    stays: staying.includes(of),
  });
  return (
    <>
      <KeptPage {...room('today')}>
        <TodayPage onGo={onGo} />
      </KeptPage>
      <KeptPage {...room('counter')}>
        <CounterPage
          picking={picking && page === 'counter'}
          onPick={onPick}
          newProduct={newProduct}
          newCustomer={newCustomer}
          onOpenOrder={openOrder}
        />
      </KeptPage>
      <KeptPage {...room('orders')}>
        <OrdersPage orderId={id('orders')} onGo={onGo} importButton={importOrders} />
      </KeptPage>
      <KeptPage {...room('customers')}>
        <CustomersPage customerId={id('customers')} onGo={onGo} importButton={importCustomers} />
      </KeptPage>
      <KeptPage {...room('catalog')}>
        <CatalogPage productId={id('catalog')} onGo={onGo} importButton={importProducts} />
      </KeptPage>
      <KeptPage {...room('reports')}>
        <ReportsPage part={id('reports')} onGo={onGo} />
      </KeptPage>
      <KeptPage {...room('audit')}>
        <AuditPage requestId={id('audit')} onGo={onGo} />
      </KeptPage>
      <KeptPage {...room('settings')}>
        <SettingsPage section={id('settings')} onGo={onGo} />
      </KeptPage>
    </>
  );
}
