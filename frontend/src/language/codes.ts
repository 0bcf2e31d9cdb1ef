import { locale } from './format';

/** A code, and what a person reads in its place. */
export interface Code {
  value: string;
  label: string;
}

const byLabel = (codes: Code[]) => codes.sort((a, b) => a.label.localeCompare(b.label, locale));

function named(values: readonly string[], type: Intl.DisplayNamesType): Code[] {
  const names = new Intl.DisplayNames(locale, { type, fallback: 'code' });
  return byLabel(values.map((value) => ({ value, label: `${names.of(value)} (${value})` })));
}

/** The currencies, by name. */
export const currencies = (): Code[] => named(Intl.supportedValuesOf('currency'), 'currency');

/** The time zones, by continent and city. */
export const timeZones = (): Code[] =>
  byLabel(
    [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((value) => ({
      value,
      label: value.replaceAll('_', ' ').replaceAll('/', ' / '),
    })),
  );

const languages =
  'de-DE de-AT de-CH en-US en-GB en-IE en-CA en-AU en-NZ fr-FR fr-BE fr-CH fr-CA it-IT it-CH es-ES es-MX nl-NL nl-BE ' +
  'pt-PT pt-BR pl-PL cs-CZ sk-SK hu-HU ro-RO sl-SI hr-HR el-GR sv-SE da-DK nb-NO fi-FI et-EE lv-LV lt-LT ja-JP';

/** The languages in which documents write amounts and days, by name. */
export const documentLanguages = (): Code[] => named(languages.split(' '), 'language');
