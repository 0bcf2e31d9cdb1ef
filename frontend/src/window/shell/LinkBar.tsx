import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useLink } from '../../queries/useLink';
import classes from './Bar.module.css';

/** Says that the computer of the shop cannot be reached: on a till only, where there is one. */
export function LinkBar() {
  const { down, copiedAt } = useLink();
  return (
    <div role="status">
      {down && (
        <div className={classes.bar}>
          <Text fw={600}>{i18n._('The shop cannot be reached')}</Text>
          <Text size="sm">{i18n._('What is typed here stays. It goes on when the link is back.')}</Text>
          {copiedAt !== undefined && (
            <Text size="sm">
              {i18n._('Products, prices and stock are as of {time}.', { time: formatTime(copiedAt) })}
            </Text>
          )}
        </div>
      )}
    </div>
  );
}

/** What stands in the window without the desk, under the bar. */
export function UnderLinkBar({ children }: { children: ReactNode }) {
  return (
    <div className={classes.under}>
      <LinkBar />
      {children}
    </div>
  );
}
