import type { ManifestEntry } from '../../bus/manifest';

/** What the application says about one action on one order. */
interface OrderAction {
  capability: string;
  available: boolean;
  reason?: string;
}

/** Why an action cannot be used on this order now; undefined when it can. */
export function actionReason(
  capability: string,
  entry: ManifestEntry | undefined,
  actions: readonly OrderAction[] | undefined,
): string | undefined {
  if (!entry) return 'You may not do this.';
  const here = actions?.find((action) => action.capability === capability);
  if (here && !here.available) return here.reason ?? 'Not possible for this order.';
  if (!entry.available) return entry.unavailable_reason ?? 'Not available now.';
  return undefined;
}
