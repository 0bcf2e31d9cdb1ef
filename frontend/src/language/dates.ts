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
