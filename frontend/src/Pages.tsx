import { lazy, Suspense, useEffect } from 'react';
import type { Place } from './bus/navigation';
import { CounterPage } from './features/counter/CounterPage';
import { ImportButton } from './features/imports/ImportButton';
import { i18n } from './language/language';
import { Loading } from './ui/Loading';
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

interface PagesProps {
  place: Place;
  onGo: (place: Place) => void;
  /** Whether the customer picker of the counter is open. */
  picking: boolean;
  onPick: (open: boolean) => void;
}

/** The page the window is at; all but the counter are loaded after the window is there, or when they are opened. */
export function Pages({ place, onGo, picking, onPick }: PagesProps) {
  useEffect(() => whenIdle(Object.values(code)), []);
  return (
    <Suspense fallback={<Loading label={i18n._('Opening the page')} />}>
      {place.page === 'counter' && (
        <CounterPage picking={picking} onPick={onPick} onOpenOrder={(id) => onGo({ page: 'orders', id })} />
      )}
      {place.page === 'orders' && (
        <OrdersPage orderId={place.id} onGo={onGo} importButton={<ImportButton kind="orders" />} />
      )}
      {place.page === 'customers' && (
        <CustomersPage customerId={place.id} onGo={onGo} importButton={<ImportButton kind="customers" />} />
      )}
      {place.page === 'catalog' && (
        <CatalogPage productId={place.id} onGo={onGo} importButton={<ImportButton kind="products" />} />
      )}
      {place.page === 'reports' && <ReportsPage part={place.id} onGo={onGo} />}
      {place.page === 'audit' && <AuditPage requestId={place.id} onGo={onGo} />}
      {place.page === 'settings' && <SettingsPage section={place.id} onGo={onGo} />}
    </Suspense>
  );
}
