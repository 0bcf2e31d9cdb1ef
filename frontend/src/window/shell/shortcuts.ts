import type { ManifestEntry } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { isTyping } from '../../ui/keys/useKeys';

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

/** Whether a key is free to act: a function key always, any other only where nothing is being typed. */
export function mayAct(key: string, target: EventTarget | null): boolean {
  return /^F\d{1,2}$/.test(key) || !isTyping(target);
}
