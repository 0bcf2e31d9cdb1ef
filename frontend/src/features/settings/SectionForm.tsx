import { Group, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { useInvoke } from '../../asking/useInvoke';
import { useRefusal } from '../../asking/useManifest';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { FieldErrors } from '../../ui/form/FieldErrors';
import { Part } from '../../ui/page/Page';
import classes from './Settings.module.css';

/** Saves a section; it outlives the form, which begins anew with the saved values. */
export type SaveSettings = ReturnType<typeof useInvoke<'settings.set'>>;

interface SectionFormProps {
  title: string;
  children: ReactNode;
  /** Why it cannot be saved yet; undefined when it can. */
  disabledReason?: string;
  save: SaveSettings;
  onSave: () => void;
  wide?: boolean;
}

/** A section of the settings: what can be changed, and the button that does; or why it cannot be. */
export function SectionForm({ title, children, disabledReason, save, onSave, wide }: SectionFormProps) {
  const refused = useRefusal('settings.set') ?? disabledReason;
  const { isPending, isSuccess } = save;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (refused === undefined && !isPending) onSave();
  };
  return (
    <Part title={title}>
      <form onSubmit={send} noValidate className={wide ? undefined : classes.form}>
        <FieldErrors call={save}>{children}</FieldErrors>
        <Group gap="md" mt={wide ? 'md' : undefined}>
          <ActionButton type="submit" loading={isPending} disabledReason={refused}>
            {i18n._('Save')}
          </ActionButton>
          <Text size="xs" c="dimmed" role="status">
            {isSuccess && disabledReason !== undefined && i18n._('Saved.')}
          </Text>
        </Group>
      </form>
    </Part>
  );
}
