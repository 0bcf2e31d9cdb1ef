import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { Select } from '../../../ui/form/Select';
import { useDraftOver } from '../../../ui/form/useDraftOver';
import { Reading } from '../../../ui/page/Reading';
import { type SaveSettings, SectionForm } from '../SectionForm';

const choices = [0, 1, 2, 5, 10, 15, 30, 60];

/** After how long without a touch the window locks, for those who have a PIN. */
export function AutoLock() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section: 'security' }, { source: 'Settings' });
  const { data } = read;
  if (!data?.security) return <Reading label={i18n._('Reading the settings')} of={read} />;
  const { lockAfterMinutes } = data.security;
  return <AutoLockForm save={save} known={lockAfterMinutes} />;
}

function AutoLockForm({ known, save }: { known: number; save: SaveSettings }) {
  const [{ minutes }, setDraft] = useDraftOver('settings lock', { minutes: known });
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
          onChange={(value) => value !== null && setDraft({ minutes: Number(value) })}
        />
      </ErrorAt>
    </SectionForm>
  );
}

function lockText(minutes: number): string {
  if (minutes === 0) return i18n._('Never');
  return i18n._('{minutes, plural, one {# minute} other {# minutes}}', { minutes });
}
