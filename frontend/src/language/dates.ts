const forms = new Map<string, Intl.DateTimeFormat>();

/** A formatter of a locale for days and times. Each is made once: making one costs more than a hundred uses. */
export function dateForm(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let form = forms.get(key);
  if (!form) {
    form = new Intl.DateTimeFormat(locale, options);
    forms.set(key, form);
  }
  return form;
}
