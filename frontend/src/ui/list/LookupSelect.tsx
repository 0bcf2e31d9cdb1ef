import { Select, type SelectProps } from '@mantine/core';
import type { KeyboardEvent } from 'react';

interface LookupSelectProps extends SelectProps {
  /** What is typed, and is not the name of what is chosen. */
  words: string;
}

/** A search field for one thing. While what is typed leads to nothing that is marked, Enter does not send the form. */
export function LookupSelect({ words, ...select }: LookupSelectProps) {
  const keep = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || words === '' || marks(event.target as Element)) return;
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
