import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useCapability } from '../../../asking/hooks';
import { i18n } from '../../../language/i18n';
import { type Choice, choicesFor } from '../../../ui/list/choices';
import { LookupSelect } from '../../../ui/list/LookupSelect';

/** One customer, by name; an empty text is nobody in particular. */
export function CustomerField({ onChange }: { onChange: (customerId: string) => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Choice>();
  const words = text === chosen?.label ? '' : text.trim();
  const [query] = useDebouncedValue(words, 150);
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
      words={words}
      data={choicesFor(answered ? found : undefined, { words, chosen })}
      nothingFoundMessage={error?.message ?? nothing}
      searchValue={text}
      onSearchChange={setText}
      value={chosen?.value ?? null}
      onChange={(value, option) => {
        setChosen(option ? { value: option.value, label: option.label } : undefined);
        onChange(value ?? '');
      }}
    />
  );
}
