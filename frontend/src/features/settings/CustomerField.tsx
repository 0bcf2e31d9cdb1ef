import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useCapability } from '../../bus/hooks';
import { i18n } from '../../language/language';
import { type Choice, choicesFor } from '../../ui/choices';

/** One customer, by name; an empty text is nobody in particular. */
export function CustomerField({ onChange }: { onChange: (customerId: string) => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<Choice>();
  const words = text === chosen?.label ? '' : text.trim();
  const [query] = useDebouncedValue(words, 150);
  const { data, isPlaceholderData } = useCapability('customer.search', query ? { query } : {}, { source: 'NewGrant' });
  const found = (data?.customers ?? []).map(({ id, name, email }) => ({
    value: id,
    label: [name, email].filter(Boolean).join(' · '),
  }));
  const settled = query === words && data !== undefined && !isPlaceholderData;
  return (
    <Select
      label={i18n._('Only for customer')}
      placeholder={i18n._('Search by name')}
      searchable
      clearable
      data={choicesFor(found, { text: words, settled, chosen })}
      filter={({ options }) => options}
      nothingFoundMessage={settled ? i18n._('Nobody is called that') : i18n._('Searching')}
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
