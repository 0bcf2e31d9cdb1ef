import { useCapability } from '../asking/useCapability';
import { useEntry } from '../asking/useManifest';
import { addNames, type Names } from '../door/namesById';
import type { Json, JsonObject } from '../door/wire';
import { references } from './answers';

/** The names of the staff by id, as far as this person may read them; always the person at this desk. */
export function usePeople(): Names {
  const here = useCapability('session.get', {}, { source: 'PersonName' }).data?.staff;
  const listed = useEntry('staff.list')?.available ?? false;
  const { data } = useCapability('staff.list', {}, { source: 'PersonName', enabled: listed });
  const all = here ? [...(data?.staff ?? []), here] : (data?.staff ?? []);
  return Object.fromEntries(all.map(({ id, name }) => [id, name]));
}

/** The names of a customer, their addresses and payment methods, by id: facts and rows carry ids alone. */
export function useCustomerIn(facts: object | undefined): Names {
  const id = facts && 'customerId' in facts && typeof facts.customerId === 'string' ? facts.customerId : undefined;
  const options = { source: 'CustomerName', enabled: id !== undefined };
  const { data } = useCapability('customer.get', { customerId: id ?? '' }, options);
  return id !== undefined && data?.id === id ? addNames({}, data as unknown as Json, references) : {};
}

/** The first customer among the values of a call, at any depth. */
export function customerAmong(values: Json | undefined): JsonObject {
  if (typeof values !== 'object' || values === null) return {};
  if (!Array.isArray(values) && values.customerId !== undefined) return { customerId: values.customerId };
  for (const part of Object.values(values)) {
    const found = customerAmong(part);
    if (found.customerId !== undefined) return found;
  }
  return {};
}
