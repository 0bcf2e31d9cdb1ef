const digitsOf = (currency: string) =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2;

/** A typed amount in minor units; undefined for any other text. A comma serves as the point. */
export function minorOf(typed: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const [, sign = '', whole = '', part = ''] = /^(-?)(\d{1,12})(?:[.,](\d*))?$/.exec(typed.trim()) ?? [];
  if (whole === '' || part.length > digits) return undefined;
  return Number(`${sign}${whole}${part.padEnd(digits, '0')}`) || 0; // no negative zero
}

/** An amount as it is typed: 4783 is "47.83". */
export function typedOf(minor: number, currency: string): string {
  const digits = digitsOf(currency);
  const text = String(Math.abs(minor)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${minor < 0 ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}
