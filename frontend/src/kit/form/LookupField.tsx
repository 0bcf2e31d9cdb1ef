import { useQuery } from '@tanstack/react-query';
import { entityOf, entry, type ManifestEntry } from '../../bridge/manifest';
import { type Names, nameOf } from '../../bridge/names';
import { at, propertyOf } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { putOwn } from '../../language/own';
import { answerKey, useClient } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { choicesFor, having } from '../../ui/list/choices';
import { LookupSelect, type LookupSelectProps, useLookup } from '../../ui/list/LookupSelect';
import { useDomain } from '../domain';
import { choicesIn, lookupOf } from './fields';

/** The form around a look-up. */
export interface FormAround {
  sources: ManifestEntry['sources'];
  values: JsonObject;
  names: Names | undefined;
}

interface LookupFieldProps extends Pick<LookupSelectProps, 'label' | 'description' | 'withAsterisk' | 'error'> {
  schema: JsonObject;
  form: FormAround;
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** A field for an id: finds the record by name, in the list where the manifest says that such ids are found. */
export function LookupField({ schema, form, value, onChange, ...select }: LookupFieldProps) {
  const client = useClient();
  const { distinguishing } = useDomain();
  const kind = String(schema['x-entity']);
  const known = value && nameOf(form.names ?? new Map(), { entity: kind, id: value });
  const { words, query, chosen, field, choose } = useLookup(known ? { value, label: known } : undefined);
  const lookup = lookupOf(schema, form.sources);
  const manifest = useManifest();
  const input = entry(manifest, lookup?.capability ?? '')?.input_schema;
  const display = entityOf(manifest, kind)?.display;
  const args = argumentsOf(input, query, form.values);

  const ready = lookup !== undefined && isComplete(input, args);

  const found = useQuery({
    queryKey: answerKey(lookup?.capability ?? '', args),
    queryFn: async () => (await client.invokeByName<Json>(lookup?.capability ?? '', args, { source: 'Palette' })).data,
    select: (answer) => choicesIn(at(answer, lookup?.pointer ?? ''), distinguishing, display),
    enabled: ready,
  });
  const asksWords = propertyOf(input, 'query') !== undefined;
  const answer = asksWords && query !== words ? undefined : found.data;
  const hint = ready ? i18n._('Search by name') : i18n._('Fill in the others first');
  const nothing = answer ? i18n._('Nothing found') : i18n._('Searching');

  return (
    <LookupSelect
      {...select}
      openOnFocus={false}
      {...field}
      placeholder={hint}
      data={choicesFor(asksWords ? answer : having(answer, words), { words, chosen })}
      nothingFoundMessage={found.error?.message ?? (ready ? nothing : hint)}
      value={value ?? null}
      onChange={(picked, option) => {
        choose(option);
        onChange(picked ?? undefined);
      }}
    />
  );
}

/** Whether a look-up has all it requires: a variant cannot be looked up before its product is known. */
function isComplete(input: JsonObject | undefined, args: JsonObject): boolean {
  const required = Array.isArray(input?.required) ? input.required : [];
  return input !== undefined && required.every((name) => typeof name === 'string' && Object.hasOwn(args, name));
}

/** The arguments of the look-up: the text, and the values of the form it has a field for. */
function argumentsOf(input: JsonObject | undefined, query: string, values: JsonObject): JsonObject {
  const args: JsonObject = {};
  if (query && propertyOf(input, 'query')) args.query = query;
  for (const [name, value] of Object.entries(values)) {
    if (name.endsWith('Id') && propertyOf(input, name) && value !== undefined) putOwn(args, name, value);
  }
  return args;
}
