import type { JsonObject } from '../../bridge/wire';

/** What a list was narrowed to and sorted by, kept under a name. */
export interface View {
  id: string;
  /** The capability that lists. */
  list: string;
  name: string;
  values: JsonObject;
}

/** Where views are kept: the capabilities, and the link of the page of each list that has views. */
export interface ViewKeeping {
  list: string;
  save: string;
  remove: string;
  pages: Readonly<Record<string, string>>;
}

/** The values that say something: none is empty. */
export function said(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== ''));
}

/** Whether two lists are narrowed and sorted alike, in whatever sequence it was said. */
export function alike(a: JsonObject, b: JsonObject): boolean {
  const text = (values: JsonObject) =>
    JSON.stringify(Object.entries(said(values)).sort(([x], [y]) => (x < y ? -1 : 1)));
  return text(a) === text(b);
}
