import { useCapability } from '../queries/useCapability';
import { draftOf } from '../ui/form/fields';
import { useForm } from '../ui/form/useForm';
import { type AddressPart, addressFields } from './address';

/** The form of an address, under its key: a known one, or a new one in the country of the shop. */
export function useAddressForm(key: string, known: Partial<Record<AddressPart, string>> = {}) {
  const { data } = useCapability('settings.get', { section: 'shop' }, { source: 'Address' });
  return useForm(key, draftOf(addressFields, { ...known, country: known.country || data?.shop?.country }));
}
