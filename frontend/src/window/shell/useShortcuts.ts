import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { BusError } from '../../bridge/error';
import { entry as entryOf, type ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useFreshManifest, useManifest } from '../../queries/useManifest';
import { useKeys, useUnboundKeys } from '../../ui/keys/useKeys';

/** The reaction to the key of a capability: open its form, run it, or say why it is not possible. */
type Reaction = 'form' | 'run' | { refused: string };

/**
 * The reaction to a capability's key now. Only a capability without arguments runs at
 * once, and none that is destructive.
 */
export function reactionTo(entry: ManifestEntry): Reaction {
  if (!entry.available) return { refused: entry.unavailable_reason ?? i18n._('Not available now.') };
  const takesNothing = Object.keys(entry.input_schema?.properties ?? {}).length === 0;
  return takesNothing && entry.side_effect !== 'destructive' ? 'run' : 'form';
}

/** Binds the key of every capability in the manifest, on every page; a page that binds the key itself goes before. */
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
    const entry = entryOf(await fresh(), name);
    if (!entry) return;
    const reaction = reactionTo(entry);
    if (reaction === 'form') openForm(entry.name);
    else if (reaction === 'run') run.mutate(entry);
    else tell(i18n._('{what}: {problem}', { what: entry.title, problem: reaction.refused }), 'amber');
  };
  useKeys(
    Object.fromEntries(
      (capabilities ?? []).flatMap(({ name, title, shortcut }) =>
        shortcut ? [[shortcut, { does: title, act: () => act(name) }]] : [],
      ),
    ),
  );
  // A key that is pressed while the window opens waits for the manifest.
  const early = async (key: string) => {
    const bound = (await fresh()).capabilities.find(({ shortcut }) => shortcut === key);
    if (bound) act(bound.name);
  };
  useUnboundKeys(capabilities ? undefined : early);
}

function tell(message: string, color: string): void {
  notifications.show({ id: message, message, color, autoClose: 6000, withBorder: true });
}
