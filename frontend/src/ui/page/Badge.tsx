import type { ReactNode } from 'react';
import classes from './Badge.module.css';

/** The colours a badge has. */
export type BadgeColor = 'pine' | 'done' | 'amber' | 'brick' | 'gray';

/** A short word about a thing, such as how far it has come. It is a plain element: lists are full of them. */
export function Badge({ color = 'pine', children }: { color?: BadgeColor; children: ReactNode }) {
  return <span className={`${classes.badge} ${classes[color]}`}>{children}</span>;
}
