import { Button, Group, Text } from '@mantine/core';
import { IconArrowLeft } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { FilledForm } from '../../bridge/chat';
import { asBusError, type BusError } from '../../bridge/error';
import type { ManifestEntry } from '../../bridge/manifest';
import { putAt } from '../../bridge/schema';
import type { Json, JsonObject, Success } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { translateFromGo } from '../../language/translateFromGo';
import { callKey, readPreviewsAgain, useClient } from '../../queries/BusProvider';
import { useSettled } from '../../queries/unsent';
import { FieldErrors } from '../../ui/form/FieldErrors';
import { IconAction } from '../../ui/form/IconAction';
import { hasUnreadable } from '../../ui/form/unreadable';
import { KeyLayer, useKeys } from '../../ui/keys/useKeys';
import { useDomain } from '../domain';
import SchemaFields from '../form/SchemaFields';
import { useValues } from '../form/useValues';
import { Filled } from './Filled';
import { useFilled } from './filled';
import { listInput } from './listInput';
import { Outcome } from './Outcome';
import classes from './Palette.module.css';
import { Rows } from './Rows';

const source = 'Palette';

interface CommandFormProps {
  entry: ManifestEntry;
  onChoose: (capability: string) => void;
  onBack: () => void;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

/** A form from the schema of a capability, which runs it and shows the result; that of a list stays above its rows. */
export default function CommandForm({ entry, onChoose, onBack, onClose, onOpenTrace }: CommandFormProps) {
  const client = useClient();
  const settled = useSettled();
  const { runsAfter } = useDomain();
  const fields = useRef<HTMLDivElement>(null);
  const { values, setValues, keys } = useValues(entry);
  const { filled, leave } = useFilled(entry.name);
  const begun = useRef<FilledForm>(undefined);
  useEffect(() => {
    if (!filled || begun.current === filled) return;
    begun.current = filled;
    setValues(filled.arguments);
  }, [filled, setValues]);
  const queries = useQueryClient();
  const run = useMutation<Success<JsonObject>, BusError, JsonObject>({
    mutationKey: callKey(entry.name),
    mutationFn: async (args) => {
      if (entry.side_effect === 'pure') return client.invokeByName(entry.name, args, { source });
      const before = own(runsAfter, entry.name);
      if (before) await settled(before);
      return keys.call(args, (idempotencyKey) =>
        client.invokeByName(entry.name, args, {
          ...{ source, idempotencyKey, parentRequestId: filled?.parent_request_id },
        }),
      );
    },
    onSuccess: leave,
    onError: () => readPreviewsAgain(queries, entry.name),
    onSettled: (_, error) => keys.ended(error ? asBusError(error) : undefined),
    meta: { offersChoices: true },
  });
  const searched = entry.searchable || entry.sortable;
  const [narrow, setNarrow] = useState(!searched);
  const input = useMemo(() => (entry.paginated ? listInput(entry, narrow) : entry.input_schema), [entry, narrow]);
  const [choice] = run.error?.choices ?? [];
  const choose = (value: unknown) => {
    const next = putAt(values, `/${choice?.field}`, value as Json) as JsonObject;
    setValues(next);
    run.mutate(next);
  };

  useEffect(() => {
    const first = fields.current?.querySelector<HTMLElement>('form input:not([type=hidden]), form button');
    first?.setAttribute('data-autofocus', ''); // the dialog looks for it when it has just opened
    first?.focus();
  }, []);

  const back = () => {
    leave();
    onBack();
  };
  return (
    <KeyLayer kind="dialog" onEscape={back}>
      <FindKey onFind={onBack} />
      <div ref={fields} className={classes.form} data-codes>
        <Group gap="xs" wrap="nowrap">
          <IconAction label={i18n._('All actions')} onClick={onBack}>
            <IconArrowLeft size={17} aria-hidden />
          </IconAction>
          <h2 className={classes.title}>{entry.title}</h2>
        </Group>
        <Text size="xs" c="dimmed">
          {entry.help}
        </Text>
        {run.data && !entry.paginated ? (
          <Outcome result={run.data} onChoose={onChoose} onClose={onClose} onOpenTrace={onOpenTrace} />
        ) : (
          <form
            className={classes.fields}
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (!hasUnreadable(event.currentTarget)) run.mutate(values);
            }}
          >
            {filled && <Filled {...{ entry, filled, values }} />}
            <FieldErrors call={{ capability: entry.name, error: run.error }}>
              <SchemaFields schema={input} sources={entry.sources} values={values} onChange={setValues} />
            </FieldErrors>
            {choice && (
              <Group gap="xs" role="group" aria-label={i18n._('Suggested answers')}>
                {choice.options.map(({ value, title }) => (
                  <Button key={title} size="compact-sm" variant="light" onClick={() => choose(value)}>
                    {translateFromGo(title)}
                  </Button>
                ))}
              </Group>
            )}
            <Group justify="flex-end" gap="xs">
              {searched && entry.filterable && (
                <Button variant="subtle" aria-expanded={narrow} onClick={() => setNarrow(!narrow)}>
                  {i18n._('Narrow it down')}
                </Button>
              )}
              <Button variant="default" onClick={onBack}>
                {i18n._('Back')}
              </Button>
              <Button type="submit" loading={run.isPending}>
                {entry.title}
              </Button>
            </Group>
          </form>
        )}
        {run.data && entry.paginated && (
          <Rows
            key={run.data.request_id}
            {...{ entry, source, onClose }}
            asked={run.variables ?? {}}
            first={run.data.data}
          />
        )}
      </div>
    </KeyLayer>
  );
}

/** Ctrl K leads back to the list. */
function FindKey({ onFind }: { onFind: () => void }) {
  useKeys({ 'Ctrl+K': { act: onFind } });
  return null;
}
