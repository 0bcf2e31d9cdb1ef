import { Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { i18n } from '../../language/i18n';
import classes from './Approvals.module.css';
import { timeLeft } from './cards';

/** How long the question stays open. */
export function Countdown({ expiresAt }: { expiresAt: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(tick);
  }, []);
  return (
    <Text size="xs" c="dimmed" className={classes.countdown}>
      {i18n._('expires in {time}', { time: timeLeft(expiresAt, now) })}
    </Text>
  );
}
