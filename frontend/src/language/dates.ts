const forms = new Map<string, Intl.DateTimeFormat>();

/** The time zone in which moments are written; undefined is the computer's. */
let zone: string | undefined;

/** Sets the time zone in which moments are written, such as "Europe/Berlin". */
export function setTimeZone(next: string | undefined): void {
  zone = next;
}

/** A formatter of a locale for days and times. Each is made once: making one costs more than a hundred uses. */
export function dateForm(locale: string, wanted: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const options = { timeZone: zone, ...wanted };
  const key = `${locale} ${JSON.stringify(options)}`;
  let form = forms.get(key);
  if (!form) {
    form = new Intl.DateTimeFormat(locale, options);
    forms.set(key, form);
  }
  return form;
}

/** The day of a moment (ms since 1970) in the time zone in which moments are written, such as "2026-11-20". */
export function dayAt(moment: number): string {
  const parts = dateForm('en', { year: 'numeric', month: '2-digit', day: '2-digit' }).formatToParts(moment);
  const part = (type: 'year' | 'month' | 'day') => parts.find((one) => one.type === type)?.value;
  return `${part('year')}-${part('month')}-${part('day')}`;
}
