import { type ManifestEntry, refusal } from '../../bus/manifest';

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
  if (!entry) return refusal(entry);
  const here = actions?.find((action) => action.capability === capability);
  if (here && !here.available) return here.reason ?? 'Not possible for this order.';
  return refusal(entry);
}
