import { Button, Group } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { CapabilityName } from '../../bridge/capabilities';
import type { ManifestEntry } from '../../bridge/manifest';
import { namesOf } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import { hasUnreadable } from '../../ui/form/unreadable';
import { useForm } from '../../ui/form/useForm';
import { Dialog } from '../../ui/page/Dialog';
import { lazyPart } from '../../ui/window/lazyPart';
import { withoutFields } from '../form/fields';
import { listInput } from '../palette/listInput';

/** The input of a list without the fields that are asked for elsewhere. */
export function without(entry: ManifestEntry, elsewhere: readonly string[]): JsonObject {
  return withoutFields(listInput(entry, true), elsewhere);
}

const SchemaFields = lazyPart(
  () => import('../form/SchemaFields'),
  () => i18n._('Opening'),
);

interface ListFiltersProps {
  /** The capability that lists. */
  of: CapabilityName;
  /** Its fields that the page has in another place, such as the words that are searched for. */
  elsewhere: readonly string[];
  /** What the list is narrowed to and sorted by, these fields among it. */
  values: JsonObject;
  onChange: (values: JsonObject) => void;
}

/** What narrows and sorts a list, as its manifest declares it: a button that says how much of it is set. */
export function ListFilters({ of, elsewhere, values, onChange }: ListFiltersProps) {
  const [open, setOpen] = useState(false);
  const entry = useEntry(of);
  if (!entry || namesOf(without(entry, elsewhere)).length === 0) return null;
  const own = Object.fromEntries(Object.entries(values).filter(([name]) => !elsewhere.includes(name)));
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => elsewhere.includes(name)));
  const count = Object.keys(own).length;
  return (
    <>
      <Button variant="default" leftSection={<IconFilter size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {count > 0 ? i18n._('Filters ({count})', { count }) : i18n._('Filters')}
      </Button>
      {open && (
        <Filters
          {...{ entry, elsewhere }}
          values={own}
          onChange={(next) => onChange({ ...others, ...next })}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface FiltersProps extends Omit<ListFiltersProps, 'of'> {
  entry: ManifestEntry;
  onClose: () => void;
}

function Filters({ entry, elsewhere, values, onChange, onClose }: FiltersProps) {
  const form = useForm(undefined, { values });
  const take = (next: JsonObject) => {
    onChange(next);
    onClose();
  };
  return (
    <Dialog onClose={onClose} title={i18n._('Filters')} size="md">
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!hasUnreadable(event.currentTarget)) take(form.values.values);
        }}
      >
        <SchemaFields
          {...{ schema: without(entry, elsewhere), sources: entry.sources }}
          {...form.values}
          onChange={(next) => form.change({ values: next })}
        />
        <Group justify="flex-end" gap="xs" mt="md">
          <Button variant="default" onClick={() => take({})}>
            {i18n._('Clear')}
          </Button>
          <Button type="submit">{i18n._('Apply')}</Button>
        </Group>
      </form>
    </Dialog>
  );
}
