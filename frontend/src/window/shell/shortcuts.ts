import type { ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';

/** The reaction to the key of a capability: open its form, run it, or say why it is not possible. */
export type Reaction = 'form' | 'run' | { refused: string };

/**
 * The reaction to a capability's key now. Only a capability without arguments runs at
 * once, and none that is destructive.
 */
export function reactionTo(entry: ManifestEntry): Reaction {
  if (!entry.available) return { refused: entry.unavailable_reason ?? i18n._('Not available now.') };
  const takesNothing = Object.keys(entry.input_schema?.properties ?? {}).length === 0;
  return takesNothing && entry.side_effect !== 'destructive' ? 'run' : 'form';
}
