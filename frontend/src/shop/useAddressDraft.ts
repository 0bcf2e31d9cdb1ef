import { useCapability } from '../queries/useCapability';
import { type Draft, draftOf } from '../ui/form/fields';
import { useLasting } from '../ui/window/useKept';
import { type AddressPart, addressFields } from './address';

/** An address that is being typed, under its key: a known one, or a new one in the country of the shop. */
export function useAddressDraft(key: string, known?: Partial<Record<AddressPart, string>>) {
  const [draft, setDraft] = useLasting<Draft<AddressPart>>(key, draftOf(addressFields, known));
  const { data } = useCapability('settings.get', { section: 'shop' }, { source: 'Address' });
  return [{ ...draft, country: draft.country || (data?.shop?.country ?? '') }, setDraft] as const;
}
