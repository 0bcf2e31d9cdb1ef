import { i18n } from '../../../language/i18n';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { Select } from '../../../ui/form/Select';
import { useForm } from '../../../ui/form/useForm';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';

const choices = [0, 1, 2, 5, 10, 15, 30, 60];

/** After how long without a touch the window locks, for those who have a PIN. */
export function AutoLock() {
  return (
    <SavedSection section="security">
      {({ security }, save) => security && <AutoLockForm save={save} known={security.lockAfterMinutes} />}
    </SavedSection>
  );
}

function AutoLockForm({ known, save }: { known: number; save: SaveSettings }) {
  const { values, change } = useForm('settings lock', { minutes: known });
  const { minutes } = values;
  const offered = choices.includes(known) ? choices : [...choices, known].sort((a, b) => a - b);
  return (
    <SectionForm
      title={i18n._('Lock the window by itself')}
      disabledReason={minutes === known ? i18n._('Nothing is changed yet.') : undefined}
      save={save}
      onSave={() => save.mutate({ section: 'security', values: { lockAfterMinutes: minutes } })}
    >
      <ErrorAt pointer="/values/lockAfterMinutes">
        <Select
          label={i18n._('When nobody touches it for')}
          description={i18n._('For people who have a PIN. Carts and what was begun stay as they are.')}
          allowDeselect={false}
          data={offered.map((value) => ({ value: String(value), label: lockText(value) }))}
          value={String(minutes)}
          onChange={(value) => value !== null && change({ minutes: Number(value) })}
        />
      </ErrorAt>
    </SectionForm>
  );
}

function lockText(minutes: number): string {
  if (minutes === 0) return i18n._('Never');
  return i18n._('{minutes, plural, one {# minute} other {# minutes}}', { minutes });
}
