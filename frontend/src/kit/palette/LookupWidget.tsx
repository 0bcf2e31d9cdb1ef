import type { WidgetProps } from '@rjsf/utils';
import { useQuery } from '@tanstack/react-query';
import { entityOf, entry } from '../../bridge/manifest';
import { type Names, nameOf } from '../../bridge/names';
import { at, propertyOf } from '../../bridge/schema';
import type { Json, JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { putOwn } from '../../language/own';
import { answerKey, useClient } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { choicesFor, having } from '../../ui/list/choices';
import { LookupSelect, useLookup } from '../../ui/list/LookupSelect';
import { useDomain } from '../domain';
import { choicesIn, lookupOf } from './form';

/** A field for an id: finds the record by name, in the list where the manifest says that such ids are found. */
export function LookupWidget({ id, label, value, required, schema, onChange, rawErrors, registry }: WidgetProps) {
  const client = useClient();
  const { distinguishing } = useDomain();
  const kind = schema['x-entity' as keyof typeof schema];
  const names: Names = registry.formContext.names ?? new Map();
  const known = nameOf(names, { entity: String(kind), id: String(value) });
  const { words, query, chosen, field, choose } = useLookup(known ? { value, label: known } : undefined);
  const lookup = lookupOf(schema as JsonObject, registry.formContext.sources);
  const manifest = useManifest();
  const input = entry(manifest, lookup?.capability ?? '')?.input_schema;
  const display = entityOf(manifest, String(kind))?.display;
  const args = argumentsOf(input, query, registry.formContext.values);

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
      id={id}
      label={label}
      withAsterisk={required}
      openOnFocus={false}
      {...field}
      placeholder={hint}
      data={choicesFor(asksWords ? answer : having(answer, words), { words, chosen })}
      nothingFoundMessage={found.error?.message ?? (ready ? nothing : hint)}
      value={value ?? null}
      error={rawErrors?.join('; ')}
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
