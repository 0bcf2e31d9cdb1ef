import { Button, Code, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useMemo } from 'react';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { answerKey, readAgain } from '../../queries/BusProvider';
import { useBusEvent } from '../../queries/useBusEvent';
import { useCapability } from '../../queries/useCapability';
import { useRefusal } from '../../queries/useManifest';
import { useTask } from '../../queries/useTask';
import { ActionButton } from '../../ui/form/ActionButton';
import { FieldErrors } from '../../ui/form/FieldErrors';
import { type Field, missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { useForm } from '../../ui/form/useForm';
import { Problem } from '../../ui/page/Note';
import classes from './FirstRun.module.css';

const source = 'FirstRun';

/** What is known of this desk as one that joins; undefined where no window can join, and until it is read. */
export function useJoining(): Response<'till.joining'> | undefined {
  const enabled = useRefusal('till.join') === undefined;
  const { data } = useCapability('till.joining', {}, { source, enabled });
  return enabled ? data : undefined;
}

/** The shop of another computer, by a code that was made there. The page is loaded anew once the owner let it in. */
export function JoinShop({ joining }: { joining: Response<'till.joining'> }) {
  const queries = useQueryClient();
  const { running, stopped, data, error, start, stop } = useTask('till.join', source);
  const { values: draft, change } = useForm('join', { code: '', name: joining.name });
  useBusEvent('progress', () => readAgain(queries, { queryKey: answerKey('till.joining', {}) }));
  const fields = useMemo(
    (): Field<'code' | 'name'>[] => [
      {
        ...{ name: 'code', label: i18n._('Code of the shop'), required: true },
        placeholder: '192.168.1.20:4222/K7QM-2RTX/0123-4567-89AB-CDEF',
        description: i18n._('The computer that holds the shop shows it: Settings, Desks, Add a desk.'),
      },
      { name: 'name', label: i18n._('Name of this desk'), required: true },
    ],
    [],
  );
  const reason = missing(fields, draft);
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (reason === undefined && !running) start({ code: draft.code.trim(), name: draft.name.trim() });
  };
  return (
    <section className={classes.choice} aria-labelledby="join-shop">
      <h2 id="join-shop">{joining.removed ? i18n._('Join again') : i18n._('Join a shop')}</h2>
      {!joining.removed && (
        <Text>{i18n._('The shop is on another computer already, and this is one more desk of it.')}</Text>
      )}
      {data && <Text role="status">{i18n._('Joined. The shop opens.')}</Text>}
      {running && (
        <div className={classes.own}>
          <Text role="status">
            {joining.key ? i18n._('Waiting for the owner at the host.') : i18n._('Looking for the host…')}
          </Text>
          {joining.key && (
            <div className={classes.key}>
              <Text size="sm">{i18n._('The owner lets in the desk that has this key:')}</Text>
              <Code block>{joining.key}</Code>
            </div>
          )}
          <Button size="sm" variant="default" autoFocus onClick={stop} disabled={stopped}>
            {i18n._('Cancel')}
          </Button>
        </div>
      )}
      {!running && !data && (
        <form className={classes.own} onSubmit={send} noValidate>
          {stopped && (
            <Problem
              message={i18n._('Cancelled: this desk did not join.')}
              hint={i18n._('A code is good once: have a new one made at the host.')}
            />
          )}
          <FieldErrors call={{ capability: 'till.join', error: stopped ? null : (error ?? null) }}>
            <TextFields at="" fields={fields} draft={draft} onChange={change} />
          </FieldErrors>
          <ActionButton type="submit" size="sm" variant="default" disabledReason={reason}>
            {i18n._('Ask to join')}
          </ActionButton>
        </form>
      )}
    </section>
  );
}
