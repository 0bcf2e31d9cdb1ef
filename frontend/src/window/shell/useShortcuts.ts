import { useMutation } from '@tanstack/react-query';
import type { BusError } from '../../bridge/error';
import type { ManifestEntry } from '../../bridge/manifest';
import { tell, useWhenPossible } from '../../kit/actions/useWhenPossible';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useFreshManifest, useManifest } from '../../queries/useManifest';
import { useKeys, useUnboundKeys } from '../../ui/keys/useKeys';

/** Reports whether the key of a capability runs it at once: it takes no arguments and is not destructive. */
export function runsAtOnce({ input_schema, side_effect }: ManifestEntry): boolean {
  return Object.keys(input_schema?.properties ?? {}).length === 0 && side_effect !== 'destructive';
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
  const whenPossible = useWhenPossible();
  const act = (capability: string) =>
    whenPossible(capability, (entry) => (runsAtOnce(entry) ? run.mutate(entry) : openForm(entry.name)));
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
