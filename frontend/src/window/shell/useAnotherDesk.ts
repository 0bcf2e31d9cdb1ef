import { notifications } from '@mantine/notifications';
import { useEffect, useState } from 'react';
import { i18n } from '../../language/i18n';
import { useBusEvent } from '../../queries/useBusEvent';
import { useDraft } from '../../ui/window/useKept';

/** Loads the page anew when the window shows a draft, or the shop again: nothing of the other stays. Tells then why. */
export function useAnotherDesk(): void {
  const [why, setWhy] = useDraft<string>('another desk');
  const [left] = useState(why); // before the page was loaded
  useBusEvent('stateChange', ({ domain, ids }) => {
    if (domain !== 'desk') return;
    if (ids?.[0]) setWhy(ids[0]); // a second event before the page is gone has no reason
    window.location.reload();
  });
  useEffect(() => {
    if (!left) return;
    setWhy(undefined);
    notifications.show({
      color: 'amber',
      message: i18n._('The draft has ended. This is the shop.'),
      autoClose: false,
      withBorder: true,
    });
  }, [left, setWhy]);
}
