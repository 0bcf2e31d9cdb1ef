import { notifications } from '@mantine/notifications';
import { useEffect } from 'react';
import { i18n } from '../../language/i18n';

/** Tells of errors that no part of the window has caught: what was asked for may not have been done. */
export function useUnhandled(): void {
  useEffect(() => {
    const tell = (thrown: unknown) => {
      notifications.show({
        ...{ id: 'unhandled', color: 'brick', autoClose: false, withBorder: true },
        title: i18n._('Something in the window went wrong'),
        message: i18n._('See whether what you did was done. Details: {details}', { details: detailsOf(thrown) }),
      });
    };
    const onError = ({ error, filename }: ErrorEvent) => isOurs(error, filename) && tell(error);
    const onRejection = ({ reason }: PromiseRejectionEvent) => tell(reason);
    window.addEventListener('error', onError);
    window.addEventListener('unhandledrejection', onRejection);
    return () => {
      window.removeEventListener('error', onError);
      window.removeEventListener('unhandledrejection', onRejection);
    };
  }, []);
}

const detailsOf = (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown));

/** Whether it was thrown by the page: the browser tells of loops of its own observers without an error. */
const isOurs = (error: unknown, filename: string) =>
  error !== undefined && error !== null && !filename.includes('/wails/');
