import { useCapability, useEntry } from '../asking/hooks';
import { learn, type Names } from '../door/namesById';
import type { Json } from '../door/wire';

/** The names of people by id, as far as somebody may know them: the one at this desk always. Others read by their id. */
export function usePeople(): Names {
  const here = useCapability('session.get', {}, { source: 'PersonName' }).data?.staff;
  const listed = useEntry('staff.list')?.available ?? false;
  const { data } = useCapability('staff.list', {}, { source: 'PersonName', enabled: listed });
  const all = here ? [...(data?.staff ?? []), here] : (data?.staff ?? []);
  return Object.fromEntries(all.map(({ id, name }) => [id, name]));
}

/** Gives the name of a person by id, or the id. */
export function usePersonName(): (id: string | undefined) => string | undefined {
  const people = usePeople();
  return (id) => (id === undefined ? undefined : (people[id] ?? id));
}

/** The names of the customer some facts are about, and of their addresses and payment methods: facts and rows carry ids alone. */
export function useCustomerIn(facts: object | undefined): Names {
  const id = facts && 'customerId' in facts && typeof facts.customerId === 'string' ? facts.customerId : undefined;
  const options = { source: 'CustomerName', enabled: id !== undefined };
  const { data } = useCapability('customer.get', { customerId: id ?? '' }, options);
  return id !== undefined && data?.id === id ? learn({}, data as unknown as Json) : {};
}
