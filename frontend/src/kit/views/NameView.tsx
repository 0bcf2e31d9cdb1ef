import { TextInput } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import { useKeepViews } from './useViews';
import type { View } from './view';

interface NameViewProps {
  /** The view that is named; without an id it is a new one. */
  view: Omit<View, 'id' | 'name'> & Partial<View>;
  onClose: () => void;
}

/** Asks for the name of a view, and saves it under it. */
export function NameView({ view: { id: viewId, list, values, name: before = '' }, onClose }: NameViewProps) {
  const form = useForm(`name of view ${viewId ?? list}`, { name: before });
  const { name } = form.values;
  const keep = useKeepViews();
  if (!keep) return null;
  return (
    <FormDialog
      title={viewId ? i18n._('Rename {name}', { name: before }) : i18n._('Save this view')}
      submit={viewId ? i18n._('Rename') : i18n._('Save the view')}
      disabledReason={name.trim() === '' ? i18n._('Give it a name first.') : undefined}
      call={keep.save}
      onSubmit={() => keep.save.mutate({ viewId, list, values, name: name.trim() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/name">
        <TextInput
          data-autofocus
          label={i18n._('Name')}
          description={
            viewId ? undefined : i18n._('What the list shows now, for you. A view of this name is replaced.')
          }
          value={name}
          onChange={(event) => form.change({ name: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
