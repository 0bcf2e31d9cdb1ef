import { UnstyledButton } from '@mantine/core';
import {
  IconBuildingStore,
  IconChartBar,
  IconHistory,
  IconPackages,
  IconReceipt2,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import classes from './Shell.module.css';

const places = [
  { page: 'counter', label: i18n._('Counter'), Icon: IconBuildingStore },
  { page: 'orders', label: i18n._('Orders'), Icon: IconReceipt2 },
  { page: 'customers', label: i18n._('Customers'), Icon: IconUsers },
  { page: 'catalog', label: i18n._('Catalog'), Icon: IconPackages },
  { page: 'reports', label: i18n._('Reports'), Icon: IconChartBar },
  { page: 'audit', label: i18n._('Audit'), Icon: IconHistory },
  { page: 'settings', label: i18n._('Settings'), Icon: IconSettings },
] as const;

interface NavRailProps {
  page: Place['page'];
  onGo: (page: Place['page']) => void;
}

/** The pages, one below the other. */
export function NavRail({ page, onGo }: NavRailProps) {
  return (
    <nav aria-label={i18n._('Pages')} className={classes.rail}>
      {places.map(({ page: target, label, Icon }) => (
        <UnstyledButton
          key={target}
          className={classes.place}
          aria-current={page === target ? 'page' : undefined}
          onClick={() => onGo(target)}
        >
          <Icon size={20} stroke={1.6} aria-hidden />
          {label}
        </UnstyledButton>
      ))}
    </nav>
  );
}
