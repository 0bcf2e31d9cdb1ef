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

/* What has a code and is no country: the world, unions, what was given up, and parts of others. */
const noCountries = new Set('AC CP CQ DG EA EU EZ IC QO TA UN XA XB ZZ'.split(' '));
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');

/** The countries, by name. */
export function countries(): Code[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' });
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  // One that is no longer used stands for what came after it.
  const used = codes.filter((code) => !noCountries.has(code) && new Intl.Locale(`und-${code}`).region === code);
  return named(
    used.filter((code) => names.of(code) !== undefined),
    'region',
  );
}

/** The time zones, by continent and city, after the nearest ones. */
export const timeZones = (nearest: readonly string[] = []): Code[] => {
  const zone = (value: string) => ({ value, label: value.replaceAll('_', ' ').replaceAll('/', ' / ') });
  const others = new Set([...Intl.supportedValuesOf('timeZone'), 'UTC']);
  for (const value of nearest) others.delete(value);
  return [...nearest.map(zone), ...byLabel([...others].map(zone))];
};

const languages =
  'de-DE de-AT de-CH en-US en-GB en-IE en-CA en-AU en-NZ fr-FR fr-BE fr-CH fr-CA it-IT it-CH es-ES es-MX nl-NL nl-BE ' +
  'pt-PT pt-BR pl-PL cs-CZ sk-SK hu-HU ro-RO sl-SI hr-HR el-GR sv-SE da-DK nb-NO fi-FI et-EE lv-LV lt-LT ja-JP';

/** The languages in which documents write amounts and days, by name. */
export const documentLanguages = (): Code[] => named(languages.split(' '), 'language');
