import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';

interface AfterFailureProps {
  onAgain: () => void;
  children?: ReactNode;
}

/** The ways on after a failure of the model: try again, and those of the application. */
export function AfterFailure({ onAgain, children }: AfterFailureProps) {
  return (
    <Group gap="xs" role="group" aria-label={i18n._('Ways on')}>
      <Button variant="default" onClick={onAgain}>
        {i18n._('Try again')}
      </Button>
      {children}
    </Group>
  );
}
