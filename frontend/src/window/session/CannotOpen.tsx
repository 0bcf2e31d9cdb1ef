import { Button } from '@mantine/core';
import type { BusError } from '../../door/error';
import { i18n } from '../../language/i18n';
import { Problem } from '../../ui/page/Note';
import { Alone } from '../../ui/window/Alone';

interface CannotOpenProps {
  error: BusError;
  trying: boolean;
  onRetry: () => void;
}

/** Stands in place of the desk when its shop cannot be opened: why, what mends it, and another try. */
export function CannotOpen({ error, trying, onRetry }: CannotOpenProps) {
  return (
    <Alone title={i18n._('The shop could not be opened')}>
      <Problem message={error.message} hint={error.recoveryHint} />
      <div>
        <Button size="sm" autoFocus loading={trying} onClick={onRetry}>
          {i18n._('Try again')}
        </Button>
      </div>
    </Alone>
  );
}
