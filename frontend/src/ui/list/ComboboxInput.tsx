import { TextInput, type TextInputProps } from '@mantine/core';
import type { ListCursor } from './useListCursor';
import { rowId } from './VirtualListbox';

interface ComboboxInputProps extends TextInputProps {
  /** The id of the list below, in which the cursor moves. */
  list: string;
  cursor: ListCursor;
}

/** A search field that keeps the focus while its keys move through the list below. */
export function ComboboxInput({ list, cursor, ...field }: ComboboxInputProps) {
  return (
    <TextInput
      role="combobox"
      aria-expanded
      aria-controls={list}
      aria-autocomplete="list"
      aria-activedescendant={cursor.active >= 0 ? rowId(list, cursor.active) : undefined}
      onKeyDown={cursor.onKeyDown}
      {...field}
    />
  );
}
