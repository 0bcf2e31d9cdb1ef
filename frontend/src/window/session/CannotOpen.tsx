import { Button } from '@mantine/core';
import type { BusError } from '../../bridge/error';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import { PageWithoutApp } from '../../ui/window/PageWithoutApp';

interface CannotOpenProps {
  error: BusError;
  trying: boolean;
  onRetry: () => void;
}

/** Stands in place of the desk when its shop cannot be opened: why, what mends it, and another try. */
export function CannotOpen({ error, trying, onRetry }: CannotOpenProps) {
  return (
    <PageWithoutApp title={i18n._('The shop could not be opened')}>
      <Problem message={error.message} hint={error.recoveryHint} />
      <div>
        <Button size="sm" autoFocus loading={trying} onClick={onRetry}>
          {i18n._('Try again')}
        </Button>
      </div>
    </PageWithoutApp>
  );
}
