const forms = new Map<string, Intl.DateTimeFormat>();

/** A way of a locale to write days and times. Each is made once: to make one takes longer than to write with it a hundred times. */
export function dateForm(locale: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${locale} ${JSON.stringify(options)}`;
  let form = forms.get(key);
  if (!form) {
    form = new Intl.DateTimeFormat(locale, options);
    forms.set(key, form);
  }
  return form;
}
