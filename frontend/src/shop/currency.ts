import { useCapability } from '../queries/useCapability';

/** The currency the shop keeps its books in; rows carry amounts without it. */
export function useCurrency(): string | undefined {
  return useCapability('settings.get', { section: 'shop' }, { source: 'Currency' }).data?.shop?.currency;
}
