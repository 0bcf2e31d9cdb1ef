import type { Request } from '../../bus/client';

type SentHook = NonNullable<Request<'settings.set'>['values']['hooks']>[number];

/** A webhook as it is edited. */
export interface Hook {
  id: string;
  url: string;
  /** What was typed; empty: as it was. */
  secret: string;
  /** A secret is known already. */
  kept: boolean;
}

/** What was edited, as it is set. */
export function hooksOf(rows: readonly Hook[]): SentHook[] {
  return rows.map(({ id, url, secret }) => ({ id: id.trim(), url: url.trim(), ...(secret ? { secret } : {}) }));
}

/** Why it cannot be saved yet, in a sentence; what else is wrong the application says. */
export function wrongIn(rows: readonly Hook[]): string | undefined {
  if (rows.some(({ id, url }) => id.trim() === '' || url.trim() === '')) return 'Fill in every name and address.';
  if (rows.some(({ id }) => !/^[a-z0-9-]+$/.test(id.trim()))) {
    return 'A name is made of small letters, digits and hyphens.';
  }
  if (rows.some(({ secret, kept }) => !secret && !kept)) return 'Give every webhook a secret.';
  return undefined;
}
