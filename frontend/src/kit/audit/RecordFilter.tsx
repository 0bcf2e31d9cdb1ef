import { i18n } from '../../language/i18n';
import { choicesFor } from '../../ui/list/choices';
import { LookupSelect, useLookup } from '../../ui/list/LookupSelect';
import { useRecordsOf } from '../records';
import { useRecordSearch } from '../useRecordSearch';
import classes from './Audit.module.css';

interface RecordFilterProps {
  /** The id of the record. */
  value: string | undefined;
  onChange: (id: string | undefined) => void;
}

/** Finds any record of the application by name, to see what was done about it. */
export function RecordFilter({ value, onChange }: RecordFilterProps) {
  const [saved] = useRecordsOf(value === undefined ? [] : [{ id: value }]); // a saved filter has the id alone
  const { words, query, chosen: picked, field, choose } = useLookup();
  const { groups, busy, problem } = useRecordSearch(query, 'RecordFilter');
  const own = picked?.value === value ? picked?.label : undefined;
  const chosen = value === undefined ? undefined : { value, label: saved?.name ?? own ?? value };
  const nothing = busy || words !== query ? i18n._('Searching') : i18n._('Nothing found');
  return (
    <LookupSelect
      aria-label={i18n._('Record it is about')}
      placeholder={i18n._('Any record')}
      clearButtonProps={{ 'aria-label': i18n._('Any record') }}
      openOnFocus={false}
      classNames={{ groupLabel: classes.kind }}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      {...field}
      data={words === '' || words !== query ? choicesFor(undefined, { words, chosen }) : groups}
      nothingFoundMessage={problem ?? (words === '' ? i18n._('Search by name') : nothing)}
      value={value ?? null}
      onChange={(id, option) => {
        choose(option);
        onChange(id ?? undefined);
      }}
    />
  );
}
