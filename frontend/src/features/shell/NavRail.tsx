import { UnstyledButton } from '@mantine/core';
import { IconBuildingStore, IconHistory, IconReceipt2 } from '@tabler/icons-react';
import classes from './Shell.module.css';

const places = [
  { page: 'counter', label: 'Counter', Icon: IconBuildingStore },
  { page: 'orders', label: 'Orders', Icon: IconReceipt2 },
  { page: 'audit', label: 'Audit', Icon: IconHistory },
] as const;

/** The pages, one below the other. */
export function NavRail({ page, onGo }: { page: string; onGo: (page: string) => void }) {
  return (
    <nav aria-label="Pages" className={classes.rail}>
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
