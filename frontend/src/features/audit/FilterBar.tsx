import { Select, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { DaysInput } from '../../ui/DaysInput';
import { dialogIsOpen } from '../../ui/useKeys';
import classes from './Audit.module.css';
import type { Facet } from './filters';
import type { useFilters } from './useFilters';

const facets: { facet: Facet; label: string; any: string }[] = [
  { facet: 'caller', label: 'Caller', any: 'Any caller' },
  { facet: 'capability', label: 'Action', any: 'Any action' },
  { facet: 'outcome', label: 'Outcome', any: 'Any outcome' },
  { facet: 'risk', label: 'Risk', any: 'Any risk' },
  { facet: 'person', label: 'Person', any: 'Any person' },
];

type FilterBarProps = ReturnType<typeof useFilters> & {
  /** The id of the list below, to which the arrow down leads. */
  list: string;
};

/** What the records are searched by: words, days, and facets with what each choice would find. */
export function FilterBar({ filters, narrow, optionsOf, conversations, list }: FilterBarProps) {
  const words = useRef<HTMLInputElement>(null);
  useHotkeys([['/', () => !dialogIsOpen() && words.current?.focus()]]);
  return (
    <search className={classes.filters}>
      <TextInput
        ref={words}
        type="search"
        aria-label="Search the records"
        aria-keyshortcuts="/"
        placeholder="Words, or “words in quotes”  ( / )"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={filters.text ?? ''}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          document.getElementById(list)?.focus();
        }}
        onChange={(event) => narrow({ text: event.currentTarget.value })}
      />
      <DaysInput
        label="Days"
        placeholder="Any day"
        clear="Any day"
        from={filters.from}
        to={filters.until}
        onChange={(from, until) => narrow({ from, until })}
      />
      {facets.map(({ facet, label, any }) => (
        <Select
          key={facet}
          aria-label={label}
          placeholder={any}
          clearable
          clearButtonProps={{ 'aria-label': any }}
          searchable={facet === 'capability'}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          data={optionsOf(facet)}
          value={filters[facet] ?? null}
          onChange={(value) => narrow({ [facet]: value ?? undefined })}
        />
      ))}
      <Select
        aria-label="Conversation"
        placeholder="Any chat"
        nothingFoundMessage="The assistant was not asked lately"
        clearable
        clearButtonProps={{ 'aria-label': 'Any chat' }}
        comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        data={conversations}
        value={filters.conversation ?? null}
        onChange={(value) => narrow({ conversation: value ?? undefined })}
      />
    </search>
  );
}
