import { notifications } from '@mantine/notifications';
import { entry, type ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useFreshManifest, useManifest } from '../../queries/useManifest';

/**
 * Returns a function for the keys of capabilities. It acts if the capability can be used, and else tells why not. The
 * manifest may be from before the last call, so it is read again before a refusal.
 */
export function useWhenPossible(): (capability: string, act: (entry: ManifestEntry) => void) => Promise<void> {
  const known = useManifest();
  const fresh = useFreshManifest();
  return async (capability, act) => {
    const here = known && entry(known, capability);
    const found = here?.available ? here : entry(await fresh(), capability);
    if (found?.available) act(found);
    else if (found) {
      const problem = found.unavailable_reason ?? i18n._('Not available now.');
      tell(i18n._('{what}: {problem}', { what: found.title, problem }), 'amber');
    }
  };
}

/** Shows the effect of a key, or the reason why it has none. */
export function tell(message: string, color: string): void {
  notifications.show({ id: message, message, color, autoClose: 6000, withBorder: true });
}
