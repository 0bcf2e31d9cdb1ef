import { notifications } from '@mantine/notifications';
import { own } from '../../language/own';
import { useBusEvent } from '../../queries/useBusEvent';

const colors: Record<string, string> = { error: 'brick', warning: 'amber' };

/** Shows the notifications of the application. */
export function useNotices(): void {
  useBusEvent('notification', ({ level = 'info', message, request_id }) => {
    notifications.show({
      id: request_id ? `${request_id} ${message}` : undefined,
      message,
      color: own(colors, level) ?? 'pine',
      autoClose: level === 'error' ? false : 6000,
      withBorder: true,
    });
  });
}
