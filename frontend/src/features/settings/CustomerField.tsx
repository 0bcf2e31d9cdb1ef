import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { useCapability } from '../../bus/hooks';
import { i18n } from '../../language/language';

/** One customer, by name; an empty text is nobody in particular. */
export function CustomerField({ onChange }: { onChange: (customerId: string) => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState<{ value: string; label: string }>();
  const [query] = useDebouncedValue(text === chosen?.label ? '' : text.trim(), 150);
  const { data } = useCapability('customer.search', query ? { query } : {}, { source: 'NewGrant' });
  const found = (data?.customers ?? []).map(({ id, name, email }) => ({
    value: id,
    label: [name, email].filter(Boolean).join(' · '),
  }));
  const shown = chosen && !found.some(({ value }) => value === chosen.value) ? [chosen, ...found] : found;
  return (
    <Select
      label={i18n._('Only for customer')}
      placeholder={i18n._('Search by name')}
      searchable
      clearable
      data={shown}
      filter={({ options }) => options}
      nothingFoundMessage={i18n._('Nobody is called that')}
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
