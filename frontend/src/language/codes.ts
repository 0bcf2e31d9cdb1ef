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

/** The codes of ISO 3166-1. An engine has names for more: for the world, for unions, for countries of the past. */
const isoCountries =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ CA ' +
  'CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR GA ' +
  'GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS ' +
  'MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS ' +
  'RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW ' +
  'TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

/** The countries, by name. */
export const countries = (): Code[] => named(isoCountries.split(' '), 'region');

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
