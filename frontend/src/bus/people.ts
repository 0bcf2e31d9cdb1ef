import { useCapability } from './hooks';
import type { Names } from './names';

/** The names of people by id, as far as they are known: the one at this desk. Others read by their id. */
export function usePeople(): Names {
  const staff = useCapability('session.get', {}, { source: 'PersonName' }).data?.staff;
  return staff ? { [staff.id]: staff.name } : {};
}

/** Gives the name of a person by id, or the id. */
export function usePersonName(): (id: string | undefined) => string | undefined {
  const people = usePeople();
  return (id) => (id === undefined ? undefined : (people[id] ?? id));
}

/** The name of the customer some facts are about: facts and rows carry the id alone. */
export function useCustomerIn(facts: object | undefined): Names {
  const id = facts && 'customerId' in facts && typeof facts.customerId === 'string' ? facts.customerId : undefined;
  const options = { source: 'CustomerName', enabled: id !== undefined };
  const { data } = useCapability('customer.get', { customerId: id ?? '' }, options);
  return id !== undefined && data?.id === id ? { [id]: data.name } : {};
}
