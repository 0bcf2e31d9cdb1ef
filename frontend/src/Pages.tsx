import { lazy, Suspense } from 'react';
import type { Place } from './bus/navigation';
import { CounterPage } from './features/counter/CounterPage';
import { ImportButton } from './features/imports/ImportButton';
import { Loading } from './ui/Loading';

const OrdersPage = lazy(() => import('./features/orders/OrdersPage'));
const CustomersPage = lazy(() => import('./features/customers/CustomersPage'));
const CatalogPage = lazy(() => import('./features/catalog/CatalogPage'));
const ReportsPage = lazy(() => import('./features/reports/ReportsPage'));
const AuditPage = lazy(() => import('./features/audit/AuditPage'));
const SettingsPage = lazy(() => import('./features/settings/SettingsPage'));

interface PagesProps {
  place: Place;
  onGo: (place: Place) => void;
  /** Whether the customer picker of the counter is open. */
  picking: boolean;
  onPick: (open: boolean) => void;
}

/** The page the window is at; all but the counter are loaded when they are opened. */
export function Pages({ place, onGo, picking, onPick }: PagesProps) {
  return (
    <Suspense fallback={<Loading label="Opening the page" />}>
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
