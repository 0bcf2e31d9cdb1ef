import type { Request } from '../../../bridge/capabilities';
import { at } from '../../../bridge/schema';
import type { JsonObject } from '../../../bridge/wire';
import { i18n } from '../../../language/i18n';

type SentHook = NonNullable<Request<'settings.set'>['values']['hooks']>[number];

/** A webhook as it is edited. */
export interface Hook {
  id: string;
  url: string;
  /** The typed secret; empty: unchanged. */
  secret: string;
  /** A secret is known already. */
  kept: boolean;
}

/** The edited webhooks, as they are sent. */
export function hooksOf(rows: readonly Hook[]): SentHook[] {
  return rows.map(({ id, url, secret }) => ({ id: id.trim(), url: url.trim(), ...(secret ? { secret } : {}) }));
}

const NAME = '/properties/values/properties/hooks/items/properties/id/pattern';

/** Whether the application takes a name, as its schema for settings says. */
function takes(schema: JsonObject | undefined, name: string): boolean {
  const pattern = at(schema, NAME);
  return typeof pattern !== 'string' || new RegExp(pattern, 'u').test(name);
}

/** Why it cannot be saved yet, in a sentence; what else is wrong the application says. */
export function wrongIn(rows: readonly Hook[], schema: JsonObject | undefined): string | undefined {
  if (rows.some(({ id, url }) => id.trim() === '' || url.trim() === ''))
    return i18n._('Fill in every name and address.');
  if (rows.some(({ id }) => !takes(schema, id.trim()))) {
    return i18n._('A name is short, and made of small letters, digits and hyphens.');
  }
  if (rows.some(({ secret, kept }) => !secret && !kept)) return i18n._('Give every webhook a secret.');
  return undefined;
}
