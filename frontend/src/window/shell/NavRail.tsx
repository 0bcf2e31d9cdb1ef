import { UnstyledButton } from '@mantine/core';
import {
  IconBuildingStore,
  IconCalendarEvent,
  IconChartBar,
  IconHistory,
  IconPackages,
  IconReceipt2,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react';
import { i18n } from '../../language/i18n';
import type { Place } from '../../shop/navigation';
import { pages } from '../../shop/places';
import { keyed } from '../../ui/keys/keyed';
import classes from './Shell.module.css';

const icons: Record<Place['page'], typeof IconHistory> = {
  today: IconCalendarEvent,
  counter: IconBuildingStore,
  orders: IconReceipt2,
  customers: IconUsers,
  catalog: IconPackages,
  reports: IconChartBar,
  audit: IconHistory,
  settings: IconSettings,
};

interface NavRailProps {
  page: Place['page'];
  onGo: (page: Place['page']) => void;
}

/** The pages, one below the other. */
export function NavRail({ page, onGo }: NavRailProps) {
  return (
    <nav aria-label={i18n._('Pages')} className={classes.rail}>
      {pages.map(({ page: target, title, shortcut }) => {
        const Icon = icons[target];
        return (
          <UnstyledButton
            key={target}
            className={classes.place}
            aria-current={page === target ? 'page' : undefined}
            {...keyed(shortcut)}
            onClick={() => onGo(target)}
          >
            <Icon size={20} stroke={1.6} aria-hidden />
            {title}
          </UnstyledButton>
        );
      })}
    </nav>
  );
}
