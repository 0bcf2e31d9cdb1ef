import { Select, type SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { isHolding } from '../keys/holdKeys';
import type { Choice } from './choices';

/** The state of a search field for one thing: the words, and the choice; `query` follows the words after 150 ms. */
export function useLookup(first?: Choice) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(first);
  const words = text === chosen?.label ? '' : text.trim();
  const [query] = useDebouncedValue(words, 150);
  return {
    words,
    query,
    chosen,
    /** Of the field. */
    field: { words, searchValue: text, onSearchChange: setText },
    choose: (option: Choice | null) => setChosen(option ? { value: option.value, label: option.label } : undefined),
  };
}

interface LookupSelectProps extends SelectProps {
  /** The typed words, empty while the field shows the name of the choice. */
  words: string;
}

/** A search field for one thing. While what is typed leads to nothing that is marked, Enter does not send the form. */
export function LookupSelect({ words, ...select }: LookupSelectProps) {
  const keep = (event: KeyboardEvent) => {
    const field = event.target as Element;
    if (event.key !== 'Enter' || words === '' || isHolding(field) || marks(field)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div onKeyDownCapture={keep}>
      <Select searchable clearable filter={({ options }) => options} {...select} />
    </div>
  );
}

/** Whether a choice is marked in the list of a field. */
function marks(field: Element): boolean {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  return list?.querySelector('[data-combobox-selected]') != null;
}
