import { useCapability } from './hooks';

/** Gives the name of a person by id, as far as it is known: the one at this desk. Others read by their id. */
export function usePersonName(): (id: string | undefined) => string | undefined {
  const staff = useCapability('session.get', {}, { source: 'PersonName' }).data?.staff;
  return (id) => (id !== undefined && id === staff?.id ? staff.name : id);
}
