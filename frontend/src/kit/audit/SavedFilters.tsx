import { ActionIcon, Button, Popover, Text, TextInput } from '@mantine/core';
import { IconBookmark, IconTrash } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useForm } from '../../ui/form/useForm';
import classes from './Audit.module.css';
import { chosenBy, type Filters, isNarrowed } from './filters';
import { filtersOf } from './savedFilter';
import type { useFilters } from './useFilters';

const LONGEST = 60; // the name, as audit.saveFilter takes it

/** The filters a person has saved: to be chosen, saved and deleted. */
export function SavedFilters({ filters, replace }: ReturnType<typeof useFilters>) {
  const [open, setOpen] = useState(false);
  const { data, error } = useCapability('audit.listFilters', {}, { source: 'SavedFilters', enabled: open });
  const remove = useInvoke('audit.deleteFilter', { source: 'SavedFilters' });
  const saved = data?.filters ?? [];
  const problem = error ?? remove.error;
  return (
    <Popover
      opened={open}
      onChange={setOpen}
      position="bottom-end"
      width={300}
      trapFocus
      returnFocus
      withinPortal={false}
    >
      <Popover.Target>
        <Button
          variant="subtle"
          color="gray"
          leftSection={<IconBookmark size={15} aria-hidden />}
          onClick={() => setOpen(!open)}
        >
          {i18n._('Saved filters')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.saved}>
        {data && saved.length === 0 && (
          <Text size="sm" c="dimmed">
            {i18n._('None yet. Narrow the list, then save what it asks for.')}
          </Text>
        )}
        {saved.length > 0 && (
          <ul className={classes.savedList} aria-label={i18n._('Saved filters')}>
            {saved.map(({ name, filter }) => (
              <li key={name}>
                <Button
                  variant="subtle"
                  color="gray"
                  justify="start"
                  fullWidth
                  onClick={() => {
                    replace(filtersOf(filter));
                    setOpen(false);
                  }}
                >
                  {name}
                </Button>
                <ActionIcon aria-label={i18n._('Delete {name}', { name })} onClick={() => remove.mutate({ name })}>
                  <IconTrash size={15} aria-hidden />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
        {problem && (
          <Text size="sm" role="alert">
            {problem.message}
          </Text>
        )}
        {isNarrowed(filters) && <Save filters={filters} />}
      </Popover.Dropdown>
    </Popover>
  );
}

/** Saves the present filters under a name; one of the same name is replaced. */
function Save({ filters }: { filters: Filters }) {
  const {
    values: { name },
    change,
  } = useForm(undefined, { name: '' });
  const save = useInvoke('audit.saveFilter', { source: 'SavedFilters' });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ name, filter: chosenBy(filters) }, { onSuccess: () => change({ name: '' }) });
  };
  return (
    <form className={classes.save} onSubmit={submit}>
      <TextInput
        data-autofocus
        label={i18n._('Save these filters as')}
        maxLength={LONGEST}
        value={name}
        error={save.error?.message}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <Button type="submit" variant="default" loading={save.isPending} disabled={name.trim() === ''}>
        {i18n._('Save')}
      </Button>
    </form>
  );
}
