import { Group, Text } from '@mantine/core';
import type { FormEvent, ReactNode } from 'react';
import type { CapabilityName, Request, Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { type Call, FieldErrors } from '../../ui/form/FieldErrors';
import { hasUnreadable } from '../../ui/form/unreadable';
import { Part } from '../../ui/page/Page';
import { Reading } from '../../ui/page/Reading';
import classes from './Settings.module.css';

/** Saves a section; it outlives the form, which begins anew with the saved values. */
export type SaveSettings = ReturnType<typeof useInvoke<'settings.set'>>;

interface SavedSectionProps {
  section: NonNullable<Request<'settings.get'>['section']>;
  children: (settings: Response<'settings.get'>, save: SaveSettings) => ReactNode;
}

/** A section of the settings once it is read, and the call that saves it. */
export function SavedSection({ section, children }: SavedSectionProps) {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section }, { source: 'Settings' });
  return read.data ? children(read.data, save) : <Reading label={i18n._('Reading the settings')} of={read} />;
}

/** The call that saves a section, and how it is going. */
interface Saving extends Call {
  capability: CapabilityName;
  isSuccess: boolean;
}

interface SectionFormProps {
  title: string;
  /** What it is about, above the fields. */
  help?: ReactNode;
  children: ReactNode;
  /** Why it cannot be saved yet; undefined when it can. */
  disabledReason?: string;
  save: Saving;
  onSave: () => void;
  wide?: boolean;
}

/** A section of the settings: what can be changed, and the button that does; or why it cannot be. */
export function SectionForm({ title, help, children, disabledReason, save, onSave, wide }: SectionFormProps) {
  const refused = useRefusal(save.capability) ?? disabledReason;
  const { isPending, isSuccess } = save;
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (hasUnreadable(event.currentTarget)) return;
    if (refused === undefined && !isPending) onSave();
  };
  return (
    <Part title={title}>
      {help && (
        <Text size="sm" c="dimmed" mb="sm">
          {help}
        </Text>
      )}
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
