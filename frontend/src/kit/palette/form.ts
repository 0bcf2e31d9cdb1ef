import type { ErrorSchema, RJSFSchema, UiSchema } from '@rjsf/utils';
import type { ManifestEntry } from '../../bridge/manifest';
import { displayOf } from '../../bridge/records';
import { fieldErrors } from '../../bridge/violations';
import type { Json, JsonObject, Violation } from '../../bridge/wire';
import { humanize } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own, putOwn } from '../../language/own';
import type { Choice } from '../../ui/list/choices';

/** The source of a field's values: the capability, and the list in its answer. */
export interface Lookup {
  capability: string;
  pointer: string;
}

/** The source of the ids that a field holds; nothing if it holds none. */
export function lookupOf(field: JsonObject | undefined, sources: ManifestEntry['sources']): Lookup | undefined {
  const kind = field?.['x-entity'];
  const [capability, pointer] = (typeof kind === 'string' ? own(sources, kind) : undefined)?.split('#') ?? [];
  return capability && pointer ? { capability, pointer } : undefined;
}

/** A record that can be chosen, and its name alone. */
export interface NamedChoice extends Choice {
  name: string;
}

/** The choices in a look-up's answer: every item with an id, by its name, which is made as its kind declares it. */
export function choicesIn(items: Json | undefined, distinguishing: readonly string[], display?: string): NamedChoice[] {
  if (!Array.isArray(items)) return [];
  return items.flatMap((item) => {
    if (typeof item !== 'object' || item === null || Array.isArray(item) || typeof item.id !== 'string') return [];
    const declared = display && displayOf(display, item);
    const words = [declared, item.name, item.title, item.label, item.text, item.id];
    const name = String(words.find((word) => typeof word === 'string' && word !== ''));
    const more = distinguishing
      .map((property) => own(item, property))
      .find((word) => typeof word === 'string' && word !== '' && word !== name);
    return [{ value: item.id, label: [name, more].filter(Boolean).join(' · '), name }];
  });
}

/** Gives every property a readable title, as far as it has none, at every depth. */
export function withTitles(schema: RJSFSchema): RJSFSchema {
  const titled = (properties: RJSFSchema['properties']) =>
    Object.fromEntries(
      Object.entries(properties ?? {}).map(([name, property]) => [
        name,
        typeof property === 'object' ? { title: humanize(name), ...withTitles(property) } : property,
      ]),
    );
  const next = { ...schema };
  if (schema.properties) next.properties = titled(schema.properties);
  if (typeof schema.items === 'object' && !Array.isArray(schema.items)) next.items = withTitles(schema.items);
  if (schema.$defs) {
    next.$defs = Object.fromEntries(
      Object.entries(schema.$defs).map(([name, part]) => [name, typeof part === 'object' ? withTitles(part) : part]),
    );
  }
  return next;
}

/** The widgets of the fields: look-ups as a search, files through the picker. */
export function uiOf(schema: JsonObject | undefined, sources?: ManifestEntry['sources']): UiSchema {
  return {
    ...widgetsOf(schema, sources),
    'ui:submitButtonOptions': { norender: true },
    'ui:globalOptions': { enableOptionalDataFieldForType: ['object'] }, // an object that is optional unfolds when wanted
  };
}

/** The fields of an object that are not shown as their type is, those of its parts and lists too. */
function widgetsOf(schema: JsonObject | undefined, sources: ManifestEntry['sources']): UiSchema {
  const ui: UiSchema = {};
  for (const [name, property] of Object.entries(objectAt(schema?.properties) ?? {})) {
    const field = objectAt(property);
    const items = widgetsOf(objectAt(field?.items), sources);
    const show = (how: UiSchema) => putOwn(ui, name, how);
    if (lookupOf(field, sources)) show({ 'ui:widget': 'lookup' });
    else if (field?.['x-file']) show({ 'ui:widget': 'pickedFile' });
    else if (name === 'file')
      show({ 'ui:widget': 'hidden' }); // a path for a new file: only the command line can give one
    else if (isMoney(field)) show(money);
    else if (Object.keys(items).length > 0) show({ items });
    else if (field?.properties) show(widgetsOf(field, sources));
  }
  return ui;
}

/** Shows an amount and its currency as one field. */
const money: UiSchema = { 'ui:field': 'money', 'ui:title': '', 'ui:description': '' };

/** Whether an object is an amount of money: minor units and a currency, and nothing else. */
function isMoney(schema: JsonObject | undefined): boolean {
  const { amount, currency, ...more } = objectAt(schema?.properties) ?? {};
  const whole = objectAt(amount)?.type === 'integer' && objectAt(currency)?.type === 'string';
  return whole && Object.keys(more).length === 0;
}

function objectAt(value: Json | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The label of the button that adds an optional part: "Add an address". */
export function addText(title: string): string {
  return /^[aeiou]/i.test(title)
    ? i18n._('Add an {part}', { part: title.toLowerCase(), title })
    : i18n._('Add a {part}', { part: title.toLowerCase(), title });
}

/** Puts the application's violations at the fields they are about. */
export function errorsAt(violations: readonly Violation[]): ErrorSchema {
  const root: ErrorSchema = {};
  for (const { path, words } of fieldErrors(violations)) {
    let place: ErrorSchema = root;
    for (const part of path.split('/').slice(1)) {
      const inner: ErrorSchema = own(place as Record<string, ErrorSchema>, part) ?? {};
      putOwn(place, part, inner);
      place = inner;
    }
    place.__errors = [...(place.__errors ?? []), words];
  }
  return root;
}
