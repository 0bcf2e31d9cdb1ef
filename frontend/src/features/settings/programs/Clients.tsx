import { Text } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { CapabilityButton } from '../../../kit/actions/CapabilityButton';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { usePersonNames } from '../../../kit/domain';
import { formatDate } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Badge } from '../../../ui/page/Badge';
import { Empty } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Reading } from '../../../ui/page/Reading';
import { HowToStart } from './HowToStart';
import classes from './Programs.module.css';

const source = 'Programs';

/** The programs whose assistant may use this desk: for whom, with which rights and until when. */
export function Clients() {
  const read = useCapability('assistant.clients', {}, { source });
  const clients = read.data?.clients;
  const nameOf = usePersonNames(clients?.map(({ person }) => person) ?? []);
  const [letting, setLetting] = useState(false);
  const [starting, setStarting] = useState<string>();
  const shown = clients?.find(({ name }) => name === starting);
  return (
    <Part
      title={i18n._('Assistants of other programs')}
      actions={
        <ActionButton disabledReason={useRefusal('assistant.enrolClient')} onClick={() => setLetting(true)}>
          {i18n._('Let a program in…')}
        </ActionButton>
      }
    >
      {!clients && <Reading label={i18n._('Reading the programs')} of={read} />}
      {clients?.length === 0 && (
        <Empty title={i18n._('No program is let in')}>
          {i18n._(
            'The assistant of an editor or a chat program can work here for you: with your rights at most, and you are asked as for your own assistant.',
          )}
        </Empty>
      )}
      <ul className={`${page.rows} ${classes.programs}`} aria-label={i18n._('Programs that are let in')}>
        {clients?.map((client) => (
          <li key={client.name}>
            <div className={page.grow}>
              <Text fw={500}>
                {client.name} {client.until <= Date.now() && <Badge color="gray">{i18n._('Over')}</Badge>}
              </Text>
              <Text size="xs">{mayText(client)}</Text>
              <Text size="xs" c="dimmed">
                {i18n._('For {who}, until {day}.', {
                  who: nameOf(client.person) ?? '',
                  day: formatDate(client.until),
                })}
              </Text>
            </div>
            {client.command && (
              <ActionButton variant="default" onClick={() => setStarting(client.name)}>
                {i18n._('How to start it')}
              </ActionButton>
            )}
            <CapabilityButton name="assistant.endClient" args={{ name: client.name }} source={source}>
              {i18n._('End')}
            </CapabilityButton>
          </li>
        ))}
      </ul>
      {letting && (
        <CapabilityDialog
          name="assistant.enrolClient"
          source={source}
          onDone={({ name }) => setStarting(name)}
          onClose={() => setLetting(false)}
        />
      )}
      {shown?.command && shown.install && (
        <HowToStart
          client={shown.name}
          {...{ command: shown.command, install: shown.install }}
          onClose={() => setStarting(undefined)}
        />
      )}
    </Part>
  );
}

function mayText({ scopes }: Response<'assistant.clients'>['clients'][number]): string {
  if (scopes.length === 0) return i18n._('May do what this person may.');
  return i18n._('May do at most: {rights}.', { rights: scopes.join(', ') });
}
