import { lazy, startTransition, useEffect, useState } from 'react';
import type { Place } from './bus/navigation';
import { CounterPage } from './features/counter/CounterPage';
import { ImportButton } from './features/imports/ImportButton';
import { Room } from './Room';
import { whenIdle } from './ui/whenIdle';

const code = {
  orders: () => import('./features/orders/OrdersPage'),
  customers: () => import('./features/customers/CustomersPage'),
  catalog: () => import('./features/catalog/CatalogPage'),
  audit: () => import('./features/audit/AuditPage'),
  settings: () => import('./features/settings/SettingsPage'),
  reports: () => import('./features/reports/ReportsPage'),
};
const OrdersPage = lazy(code.orders);
const CustomersPage = lazy(code.customers);
const CatalogPage = lazy(code.catalog);
const ReportsPage = lazy(code.reports);
const AuditPage = lazy(code.audit);
const SettingsPage = lazy(code.settings);

/** The pages people go back and forth between: they stay when they are left, and are drawn ahead. */
const staying = ['counter', 'orders', 'customers', 'catalog'] as const;

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
  const [stay, setStay] = useState(false);
  useEffect(() => {
    const load = Object.values(code);
    return whenIdle([...load, () => startTransition(() => setStay(true))]);
  }, []);
  const id = (of: Place['page']) => (page === of ? place.id : undefined);
  const room = (of: Place['page']) => ({ page: of, place, onGo, stays: stay && staying.some((one) => one === of) });
  return (
    <>
      <Room {...room('counter')}>
        <CounterPage
          picking={picking && page === 'counter'}
          onPick={onPick}
          onOpenOrder={(order) => onGo({ page: 'orders', id: order })}
        />
      </Room>
      <Room {...room('orders')}>
        <OrdersPage orderId={id('orders')} onGo={onGo} importButton={<ImportButton kind="orders" />} />
      </Room>
      <Room {...room('customers')}>
        <CustomersPage customerId={id('customers')} onGo={onGo} importButton={<ImportButton kind="customers" />} />
      </Room>
      <Room {...room('catalog')}>
        <CatalogPage productId={id('catalog')} onGo={onGo} importButton={<ImportButton kind="products" />} />
      </Room>
      <Room {...room('reports')}>
        <ReportsPage part={id('reports')} onGo={onGo} />
      </Room>
      <Room {...room('audit')}>
        <AuditPage requestId={id('audit')} onGo={onGo} />
      </Room>
      <Room {...room('settings')}>
        <SettingsPage section={id('settings')} onGo={onGo} />
      </Room>
    </>
  );
}
