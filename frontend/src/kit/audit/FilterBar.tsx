import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useRef } from 'react';
import { i18n } from '../../language/i18n';
import { useManifest } from '../../queries/useManifest';
import { DaysInput } from '../../ui/form/DaysInput';
import { Select } from '../../ui/form/Select';
import { useKeys } from '../../ui/keys/useKeys';
import classes from './Audit.module.css';
import type { Facet } from './filters';
import { RecordFilter } from './RecordFilter';
import type { useFilters } from './useFilters';

const facets: { facet: Facet; label: string; all: string }[] = [
  { facet: 'caller', label: i18n._('Caller'), all: i18n._('Any caller') },
  { facet: 'capability', label: i18n._('Action'), all: i18n._('Any action') },
  { facet: 'outcome', label: i18n._('Outcome'), all: i18n._('Any outcome') },
  { facet: 'risk', label: i18n._('Risk'), all: i18n._('Any risk') },
  { facet: 'person', label: i18n._('Person'), all: i18n._('Any person') },
];

type FilterBarProps = ReturnType<typeof useFilters> & {
  /** The id of the list below, to which the arrow down leads. */
  list: string;
};

/** The filters of the records: words, days, and facets with the count of each choice. */
export function FilterBar({ filters, narrow, optionsOf, conversations, list }: FilterBarProps) {
  const words = useRef<HTMLInputElement>(null);
  const hasRecords = (useManifest()?.entities?.length ?? 0) > 0;
  useKeys({ '/': { does: i18n._('Search the records'), act: () => words.current?.focus() } });
  return (
    <search className={classes.filters}>
      <TextInput
        ref={words}
        type="search"
        aria-label={i18n._('Search the records')}
        aria-keyshortcuts="/"
        wrapperProps={{ 'data-key': '/' }}
        placeholder={i18n._('Words or “a phrase” ( / )')}
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
        label={i18n._('Days')}
        placeholder={i18n._('Any day')}
        clear={i18n._('Any day')}
        from={filters.from}
        to={filters.until}
        onChange={(from, until) => narrow({ from, until })}
      />
      {facets.map(({ facet, label, all }) => (
        <Select
          key={facet}
          aria-label={label}
          placeholder={all}
          clearable
          clearButtonProps={{ 'aria-label': all }}
          searchable={facet === 'capability'}
          comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
          data={optionsOf(facet)}
          value={filters[facet] ?? null}
          onChange={(value) => narrow({ [facet]: value ?? undefined })}
        />
      ))}
      {hasRecords && <RecordFilter value={filters.subject} onChange={(subject) => narrow({ subject })} />}
      <Select
        aria-label={i18n._('Conversation')}
        placeholder={i18n._('Any chat')}
        nothingFoundMessage={i18n._('The assistant was not asked lately')}
        clearable
        clearButtonProps={{ 'aria-label': i18n._('Any chat') }}
        comboboxProps={{ width: 'max-content', position: 'bottom-end' }}
        data={conversations}
        value={filters.conversation ?? null}
        onChange={(value) => narrow({ conversation: value ?? undefined })}
      />
    </search>
  );
}
