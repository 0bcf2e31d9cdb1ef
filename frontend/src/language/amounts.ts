import { own } from './own';

/** The signs the application writes before an amount; other currencies follow it with their code. */
const signs: Readonly<Record<string, string>> = {
  ...{ $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', CA$: 'CAD', A$: 'AUD', NZ$: 'NZD' },
  ...{ '₹': 'INR', '₩': 'KRW', R$: 'BRL', MX$: 'MXN' },
};

const number = String.raw`\d{1,3}(?:,\d{3})*(?:\.\d+)?`;
const sign = Object.keys(signs)
  .sort((a, b) => b.length - a.length)
  .map((one) => one.replace('$', '\\$'))
  .join('|');
const amount = new RegExp(
  String.raw`(?<![\p{L}\p{N}$.,])(?:(-?)(${sign})(${number})|(-?${number}) ([A-Z]{3}))(?![\p{L}\p{N}]|[.,]\d)`,
  'gu',
);

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));
const formats = new Map<string, Intl.NumberFormat>();

/** Writes an amount in minor units as a locale does. */
export function amountIn(locale: string, minor: number, currency: string): string {
  const format = formatOf(locale, currency);
  return format.format(minor / 10 ** digitsOf(format));
}

/** Writes an amount without cents where there are none. */
export function roundIn(locale: string, minor: number, currency: string): string {
  const format = formatOf(locale, currency, { trailingZeroDisplay: 'stripIfInteger' });
  return format.format(minor / 10 ** digitsOf(format));
}

/**
 * The amounts in a text as the language writes them: "$1,250.00" is "1.250,00 $". Only
 * amounts with all their cents count: "$5" was typed by a person.
 */
export function translateAmounts(text: string, locale: string): string {
  return text.replace(amount, (written, minus = '', before: string, signed: string, coded: string, code: string) => {
    const currency = before ? own(signs, before) : code;
    if (!currency || !currencies.has(currency)) return written;
    const value = before ? minus + signed : coded;
    const digits = value.split('.')[1]?.length ?? 0;
    if (digits < digitsOf(formatOf(locale, currency))) return written;
    return formatOf(locale, currency, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(
      Number(value.replaceAll(',', '')),
    );
  });
}

/** Made once: lists write dozens of amounts at a time. */
function formatOf(locale: string, currency: string, options: Intl.NumberFormatOptions = {}): Intl.NumberFormat {
  const key = `${locale} ${currency} ${JSON.stringify(options)}`;
  const known = formats.get(key);
  if (known) return known;
  const made = new Intl.NumberFormat(locale, { style: 'currency', currency, ...options });
  formats.set(key, made);
  return made;
}

/** The number of digits behind the point of a currency. */
export function minorDigits(currency: string): number {
  return digitsOf(formatOf('en', currency));
}

function digitsOf(format: Intl.NumberFormat): number {
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
