import { i18n } from '../language/i18n';
import { missingText } from '../language/missing';
import { useCapability } from '../queries/useCapability';
import { choicesFor } from '../ui/list/choices';
import { LookupSelect, useLookup } from '../ui/list/LookupSelect';

interface CustomerFieldProps {
  label: string;
  /** The window part that asks. */
  source: string;
  /** A customer that is not to be chosen. */
  except?: string;
  /** The dialog begins with it. */
  first?: boolean;
  onChange: (customerId: string) => void;
}

/** A search field for one customer; an empty text is no customer in particular. */
export function CustomerField({ label, source, except, first, onChange }: CustomerFieldProps) {
  const { words, query, chosen, field, choose } = useLookup();
  const { data, error, isPlaceholderData } = useCapability('customer.search', query ? { query } : {}, { source });
  const answered = query === words && !isPlaceholderData;
  const found = data?.customers
    .filter(({ id }) => id !== except)
    .map(({ id, name, email, phone }) => ({ value: id, label: [name, email || phone].filter(Boolean).join(' · ') }));
  const nothing =
    answered && found ? (missingText(data?.notFound) ?? i18n._('Nobody is called that')) : i18n._('Searching');
  return (
    <LookupSelect
      data-autofocus={first}
      label={label}
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
