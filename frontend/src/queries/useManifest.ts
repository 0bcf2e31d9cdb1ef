import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { CapabilityName } from '../bridge/capabilities';
import type { BusError } from '../bridge/error';
import { entry, type Manifest, type ManifestEntry, refusal } from '../bridge/manifest';
import { MANIFEST_KEY, useClient } from './BusProvider';
import { useMayAsk } from './frozen';

/** Everything the application can do now. */
export function useManifest(): Manifest | undefined {
  return useManifestQuery().data;
}

/**
 * Reads the manifest anew: the last call may have changed which capabilities are available, and its event may not have
 * come yet. An answer that is on its way may be from before that call.
 */
export function useFreshManifest(): () => Promise<Manifest> {
  const client = useClient();
  const queries = useQueryClient();
  return async () => {
    await queries.cancelQueries({ queryKey: MANIFEST_KEY });
    return queries.fetchQuery({ queryKey: MANIFEST_KEY, queryFn: () => client.manifest(), staleTime: 0 });
  };
}

/** The manifest, and whether it is still on its way. */
export function useManifestQuery(enabled?: boolean) {
  const client = useClient();
  return useQuery<Manifest, BusError>({
    queryKey: MANIFEST_KEY,
    queryFn: () => client.manifest(),
    enabled: useMayAsk(enabled),
  });
}

/** How often, in seconds, the answer of a capability is worth asking for; undefined where events tell of it. */
export function useRefreshInterval(capability: string): number | undefined {
  const client = useClient();
  return (
    useQuery<Manifest, BusError, number | null>({
      queryKey: MANIFEST_KEY,
      queryFn: () => client.manifest(),
      enabled: useMayAsk(),
      select: (manifest) => entry(manifest, capability)?.refresh_interval_seconds ?? null,
    }).data ?? undefined
  );
}

/**
 * The likely next actions, the likeliest first, as the application ranks them; read
 * again each time, since every action changes them.
 */
export function useNextActions(): ManifestEntry[] {
  const client = useClient();
  const manifest = useManifest();
  const names = useQuery<string[], BusError>({
    queryKey: ['next'],
    queryFn: () => client.next(),
    staleTime: 0,
    gcTime: 0,
  });
  return (names.data ?? []).flatMap((name) => entry(manifest, name) ?? []);
}

/** One capability's entry in the manifest: title, shortcut, availability and why not. */
export function useEntry(name: CapabilityName): ManifestEntry | undefined {
  return entry(useManifest(), name);
}

/** Why a capability cannot be used now, in the manifest's words; undefined when it can. */
export function useRefusal(name: CapabilityName): string | undefined {
  return refusal(useEntry(name));
}
