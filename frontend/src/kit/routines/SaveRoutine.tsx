import { Button, Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { IconListCheck } from '@tabler/icons-react';
import { useState } from 'react';
import { entityOf, entry } from '../../bridge/manifest';
import { keyOf, nameOf } from '../../bridge/names';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useManifest, useRefusal } from '../../queries/useManifest';
import { useNames } from '../../queries/useNames';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import type { AuditRecord } from '../audit/record';
import { openIn, type Step, stepsOf, withBlanks } from './steps';

const SAVE = 'routine.save';
const GRANT = 'grant.create';

/** Offers to save what some records did as a routine. */
export function SaveRoutine({ records }: { records: readonly AuditRecord[] }) {
  const steps = stepsOf(records, useManifest());
  const refused = useRefusal(SAVE);
  const [saving, setSaving] = useState(false);
  if (!steps || refused !== undefined) return null;
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconListCheck size={15} aria-hidden />}
        aria-haspopup="dialog"
        onClick={() => setSaving(true)}
      >
        {i18n._('Save as routine…')}
      </Button>
      {saving && <SaveDialog steps={steps} onClose={() => setSaving(false)} />}
    </>
  );
}

/** The bounds in which a routine runs without a question, where it is saved so. */
const RUNS = 30;
const DAYS = 60;
const noKeys: readonly string[] = [];

/** Asks for the name, and which of the records in the steps are asked for at each run. */
function SaveDialog({ steps, onClose }: { steps: readonly Step[]; onClose: () => void }) {
  const manifest = useManifest();
  const open = openIn(steps, manifest);
  const names = useNames(open);
  const { values, change } = useForm(undefined, { name: '', time: '', unasked: false, kept: noKeys });
  const { name, time, unasked, kept } = values;
  const mayAllow = useRefusal(GRANT) === undefined;
  const blanks = open.filter((record) => !kept.includes(keyOf(record)));
  const call = useInvoke(SAVE, { source: 'SaveRoutine', once: true });
  const timed = time !== '' && blanks.length === 0;
  const save = () => {
    const request = {
      name,
      steps: withBlanks(steps, blanks, manifest),
      at: timed ? { time } : undefined,
      allow: timed && mayAllow && unasked ? { uses: RUNS, until: Date.now() + DAYS * 86_400_000 } : undefined,
    };
    call.mutate(request, { onDone: onClose });
  };
  return (
    <FormDialog
      title={i18n._('Save as routine')}
      submit={i18n._('Save the routine')}
      size="md"
      {...{ call, onClose }}
      onSubmit={save}
    >
      <ErrorAt pointer="/name">
        <TextInput
          label={i18n._('Name')}
          placeholder={i18n._('What it does')}
          withAsterisk
          data-autofocus
          autoComplete="off"
          value={name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </ErrorAt>
      <ol aria-label={i18n._('What it does')}>
        {steps.map(({ capability }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: steps are told apart by their place alone
          <li key={at}>{entry(manifest, capability)?.title ?? capability}</li>
        ))}
      </ol>
      {open.length > 0 && (
        <Stack gap="xs" role="group" aria-label={i18n._('Asked for at each run')}>
          <Text size="sm" fw={600}>
            {i18n._('Asked for at each run')}
          </Text>
          {open.map((record) => {
            const [key, { entity, id }] = [keyOf(record), record];
            return (
              <Checkbox
                key={key}
                label={`${entityOf(manifest, entity)?.title ?? entity}: ${nameOf(names, record) ?? id}`}
                checked={!kept.includes(key)}
                onChange={({ currentTarget: { checked } }) =>
                  change({ kept: checked ? kept.filter((other) => other !== key) : [...kept, key] })
                }
              />
            );
          })}
          <Text size="xs" c="dimmed">
            {i18n._('What is not asked for stays as it was, like everything that was typed.')}
          </Text>
        </Stack>
      )}
      <ErrorAt pointer="/at/time">
        <TextInput
          label={i18n._('Runs by itself every day at')}
          description={
            blanks.length > 0
              ? i18n._('Only a routine that asks for nothing can run by itself.')
              : i18n._('While a window is open; you are asked first, unless a grant says otherwise.')
          }
          placeholder="18:00"
          maxLength={5}
          autoComplete="off"
          disabled={blanks.length > 0}
          value={time}
          onChange={(event) => change({ time: event.currentTarget.value })}
        />
      </ErrorAt>
      {timed && mayAllow && (
        <Checkbox
          label={i18n._('Without asking me, {runs} times within {days} days', { runs: RUNS, days: DAYS })}
          description={i18n._('It is a grant, which ends with the routine.')}
          checked={unasked}
          onChange={(event) => change({ unasked: event.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}
