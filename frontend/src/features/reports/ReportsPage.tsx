import { Tabs } from '@mantine/core';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead';
import { Closings } from './Closings';
import { LowStock } from './LowStock';
import { Payments } from './Payments';
import { Returns } from './Returns';
import { Sales } from './Sales';
import { TopProducts } from './TopProducts';

const parts = {
  sales: { label: i18n._('Sales'), Part: Sales },
  payments: { label: i18n._('Payments'), Part: Payments },
  closings: { label: i18n._('Closings'), Part: Closings },
  returns: { label: i18n._('Returns'), Part: Returns },
  products: { label: i18n._('Top products'), Part: TopProducts },
  stock: { label: i18n._('Low stock'), Part: LowStock },
} as const;
type PartName = keyof typeof parts;

const isPart = (name: string | null | undefined): name is PartName => !!name && Object.hasOwn(parts, name);

interface ReportsPageProps {
  /** Which report is shown. */
  part?: string;
  onGo: (place: Place) => void;
}

/** Sales, payments, closings and returns, best sellers and low stock. */
export default function ReportsPage({ part, onGo }: ReportsPageProps) {
  const name = isPart(part) ? part : 'sales';
  const { Part } = parts[name];
  return (
    <Tabs className={page.page} value={name} onChange={(id) => id && onGo({ page: 'reports', id })}>
      <PageHead title={i18n._('Reports')}>
        <Tabs.List aria-label={i18n._('Reports')}>
          {Object.entries(parts).map(([id, { label }]) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </PageHead>
      <Tabs.Panel value={name} className={page.panel}>
        <Part onOpenProduct={(id) => onGo({ page: 'catalog', id })} />
      </Tabs.Panel>
    </Tabs>
  );
}
