import type { SelectProps } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type KeyboardEvent, useState } from 'react';
import { Select } from '../form/Select';
import { isHolding } from '../keys/holdKeys';
import type { Choice } from './choices';

/** The state of a search field for one thing: the words, and the choice; `query` follows the words after 150 ms. */
export function useLookup(first?: Choice) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(first);
  const [typing, setTyping] = useState(false);
  const words = typing ? text.trim() : ''; // the field shows the name of the choice otherwise, however it is written
  const [query] = useDebouncedValue(words, 150);
  return {
    words,
    query,
    chosen,
    /** Of the field. */
    field: { words, searchValue: text, onSearchChange: setText, onTyping: setTyping },
    choose: (option: Choice | null) => {
      setTyping(false);
      setChosen(option ? { value: option.value, label: option.label } : undefined);
    },
  };
}

export interface LookupSelectProps extends SelectProps {
  /** The typed words, empty while the field shows the name of the choice. */
  words: string;
  /** Called when words are typed, and when the field is left. */
  onTyping: (typing: boolean) => void;
  /** Called with the words on Enter while no choice is marked, and the field is emptied; absent: Enter does nothing then. */
  onEnter?: (words: string) => void;
}

/**
 * A search field for one record. Enter takes the choice that is marked on the screen, since the list sets its index later
 * than it opens. While nothing is marked for the typed words, Enter does not send the form.
 */
export function LookupSelect({ words, onTyping, onEnter, ...select }: LookupSelectProps) {
  const keep = (event: KeyboardEvent) => {
    const field = event.target as Element;
    if (event.key !== 'Enter' || isHolding(field)) return;
    const marked = markedIn(field);
    if (words === '' && !marked) return;
    event.preventDefault();
    event.stopPropagation();
    if (marked) return marked.click();
    if (!onEnter) return;
    select.onSearchChange?.('');
    onEnter(words);
  };
  return (
    <div onKeyDownCapture={keep} onChangeCapture={() => onTyping(true)} onBlurCapture={() => onTyping(false)}>
      <Select searchable clearable allowDeselect={false} filter={({ options }) => options} {...select} />
    </div>
  );
}

/** The choice that is marked in the open list of a field. */
function markedIn(field: Element): HTMLElement | null {
  const list = document.getElementById(field.getAttribute('aria-controls') ?? '');
  return list?.querySelector<HTMLElement>('[data-combobox-selected]') ?? null;
}
