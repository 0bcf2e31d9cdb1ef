import { getHotkeyHandler, type HotkeyItem } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { BusError } from '../../bridge/error';
import { entry as entryOf, type ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useFreshManifest, useManifest } from '../../queries/useManifest';
import { dialogIsOpen } from '../../ui/keys/useKeys';
import { mayAct, reactionTo } from './shortcuts';

/**
 * Binds the key of every capability in the manifest, wherever the person is. A
 * page that has a better answer to a key takes it first: it prevents the default.
 */
export function useShortcuts(openForm: (capability: string) => void): void {
  const client = useClient();
  const fresh = useFreshManifest();
  const capabilities = useManifest()?.capabilities;
  const run = useMutation<unknown, BusError, ManifestEntry>({
    mutationFn: ({ name }) => client.invokeByName(name, {}, { source: 'Shortcut' }),
    onSuccess: (_, { title }) => tell(i18n._('{what}: done.', { what: title }), 'pine'),
    onError: (error, { title }) => tell(i18n._('{what}: {problem}', { what: title, problem: error.message }), 'brick'),
  });

  const act = async (name: string) => {
    if (dialogIsOpen()) return;
    const entry = entryOf(await fresh(), name);
    if (!entry) return;
    const reaction = reactionTo(entry);
    if (reaction === 'form') openForm(entry.name);
    else if (reaction === 'run') run.mutate(entry);
    else tell(i18n._('{what}: {problem}', { what: entry.title, problem: reaction.refused }), 'amber');
  };
  const press = async (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !mayAct(event.key, event.target)) return;
    // A key that is pressed while the window opens waits for the manifest.
    const bound = (capabilities ?? (await fresh()).capabilities).flatMap((entry): HotkeyItem[] =>
      entry.shortcut ? [[entry.shortcut, () => act(entry.name)]] : [],
    );
    getHotkeyHandler(bound)(event);
  };
  const latest = useRef(press);
  useEffect(() => {
    latest.current = press;
  });
  useEffect(() => {
    // On the window: after every listener of the page has had the key.
    const listen = (event: KeyboardEvent) => latest.current(event);
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, []);
}

function tell(message: string, color: string): void {
  notifications.show({ id: message, message, color, autoClose: 6000, withBorder: true });
}
