import { useCapability } from '../../../asking/useCapability';
import { i18n } from '../../../language/i18n';
import { choicesFor } from '../../../ui/list/choices';
import { LookupSelect, useLookup } from '../../../ui/list/LookupSelect';

/** A search field for one customer; an empty text is no customer in particular. */
export function CustomerField({ onChange }: { onChange: (customerId: string) => void }) {
  const { words, query, chosen, field, choose } = useLookup();
  const { data, error, isPlaceholderData } = useCapability('customer.search', query ? { query } : {}, {
    source: 'NewGrant',
  });
  const answered = query === words && !isPlaceholderData;
  const found = data?.customers.map(({ id, name, email }) => ({
    value: id,
    label: [name, email].filter(Boolean).join(' · '),
  }));
  const nothing = answered && found ? i18n._('Nobody is called that') : i18n._('Searching');
  return (
    <LookupSelect
      label={i18n._('Only for customer')}
      placeholder={i18n._('Search by name')}
      {...field}
      data={choicesFor(answered ? found : undefined, { words, chosen })}
      nothingFoundMessage={error?.message ?? nothing}
      value={chosen?.value ?? null}
      onChange={(value, option) => {
        choose(option);
        onChange(value ?? '');
      }}
    />
  );
}
