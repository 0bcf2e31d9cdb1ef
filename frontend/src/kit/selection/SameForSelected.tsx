import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useRef } from 'react';
import { REPEAT } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';
import { useSelected } from './useSelection';

interface SameForSelectedProps {
  entity: string;
  /** What is done again; absent: what was done last with one record of the kind. */
  requestIds?: string[];
}

const NOTICE = 'not the same';

/** Does what was done with one record again with the selected ones, after a card that shows all of it. */
export function SameForSelected({ entity, requestIds }: SameForSelectedProps) {
  const selected = useSelected(entity);
  const refused = useRefusal(REPEAT);
  const asked = useRef(false);
  const again = useInvoke(REPEAT, { source: 'SameForSelected', once: true });
  if (refused !== undefined || selected.length === 0) return null;
  const start = () => {
    if (asked.current) return; // a second Enter, before the button shows that it works
    asked.current = true;
    again.mutate(
      { requestIds, subjects: selected.map(({ id }) => ({ type: entity, id })) },
      {
        onSuccess: () => {
          asked.current = false;
        },
        onError: ({ message, recoveryHint, choices, reason }) => {
          asked.current = false;
          if (choices.length > 0 || reason === 'declined') return; // the window asks, or the person said so
          notifications.show({ id: NOTICE, color: 'amber', title: message, message: recoveryHint, withBorder: true });
        },
      },
    );
  };
  return (
    <Button
      variant="default"
      leftSection={<IconRepeat size={15} aria-hidden />}
      loading={again.isPending}
      onClick={start}
    >
      {requestIds
        ? i18n._('{count, plural, one {Do the same with # selected} other {Do the same with # selected}}', {
            count: selected.length,
          })
        : i18n._('Do the same')}
    </Button>
  );
}
