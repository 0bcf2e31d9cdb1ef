import type { Response } from '../../door/capabilities';
import type { ManifestEntry } from '../../door/manifest';
import { i18n } from '../../language/i18n';

interface Choosable {
  id: string;
  default?: boolean;
}

/** The choices for one cart; an absent one was not made, and its default holds. */
export interface Choices {
  addressId?: string;
  methodId?: string;
  giftMessage?: string;
}

/** The selected choice: the person's while it is still offered, else the default, else the only one. */
export function selected(choices: readonly Choosable[], chosen: string | undefined): string | undefined {
  if (choices.some((choice) => choice.id === chosen)) return chosen;
  const preset = choices.find((choice) => choice.default) ?? (choices.length === 1 ? choices[0] : undefined);
  return preset?.id;
}

interface Checkout {
  entry: ManifestEntry | undefined;
  problems: Response<'cart.getSummary'>['problems'];
  addressId: string | undefined;
  methodId: string | undefined;
}

/** Why the order cannot be submitted yet, in the application's words where it has some. */
export function whyNot({ entry, problems, addressId, methodId }: Checkout): string | undefined {
  if (!entry) return i18n._('You may not submit orders.');
  if (problems[0]) return problems[0];
  if (!entry.available) return entry.unavailable_reason ?? i18n._('Not available now.');
  if (!addressId) return i18n._('Choose where it goes.');
  if (!methodId) return i18n._('Choose how it is paid.');
  return undefined;
}
