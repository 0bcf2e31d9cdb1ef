import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { CapabilityButton } from '../../../kit/actions/CapabilityButton';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { usePersonNames } from '../../../kit/domain';
import { formatDate, formatMinute } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { CopiedText } from '../../../ui/form/CopiedText';
import { Badge } from '../../../ui/page/Badge';
import { Empty, Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Reading } from '../../../ui/page/Reading';
import programs from '../programs/Programs.module.css';

const source = 'Desks';

type Listed = Response<'till.list'>;

/** The windows on other computers: whether the shop is served to them, and which ones may work here. */
export function Desks() {
  const read = useCapability('till.list', {}, { source });
  const served = read.data;
  const refused = useRefusal('till.serve');
  const [starting, setStarting] = useState(false);
  return (
    <Part
      title={i18n._('Desks')}
      actions={
        served?.port ? (
          <CapabilityButton name="till.endServing" args={{}} source={source} />
        ) : (
          served && (
            <ActionButton disabledReason={refused} onClick={() => setStarting(true)}>
              {i18n._('Serve other desks…')}
            </ActionButton>
          )
        )
      }
    >
      {!served && <Reading label={i18n._('Reading the desks')} of={read} />}
      {served && <Serving served={served} />}
      {served && <List tills={served.tills} />}
      {starting && <CapabilityDialog name="till.serve" source={source} onClose={() => setStarting(false)} />}
    </Part>
  );
}

/** Where the shop is served, or why it is not, and the code with which a computer joins. */
function Serving({ served: { port, address, problem, remedy, tills } }: { served: Listed }) {
  const [pair, setPair] = useState<Response<'till.pair'> & { made: number }>();
  const call = useInvoke('till.pair', { source });
  const refused = useRefusal('till.pair');
  const failed = problem && <Problem message={problem} hint={remedy} />;
  if (!address) return failed || (port ? <Text role="status">{i18n._('Starting…')}</Text> : null);
  const used = pair && (pair.until <= Date.now() || tills.some(({ askedAt }) => askedAt >= pair.made));
  return (
    <>
      {failed}
      <Text mb="sm">{i18n._('This shop is served at {address}.', { address })}</Text>
      {call.error && <Problem message={call.error.message} hint={call.error.recoveryHint} />}
      {pair && !used && (
        <CopiedText
          label={i18n._('Type this code on the other computer at “Join a shop”, until {time}', {
            time: formatMinute(pair.until),
          })}
          text={pair.code}
        />
      )}
      <ActionButton
        variant="default"
        my="sm"
        disabledReason={refused}
        loading={call.isPending}
        onClick={() => call.mutate({}, { onDone: ({ data }) => setPair({ ...data, made: Date.now() }) })}
      >
        {i18n._('Add a desk')}
      </ActionButton>
    </>
  );
}

/** The desks that ask to work here, and those that may. */
function List({ tills }: Pick<Listed, 'tills'>) {
  const nameOf = usePersonNames(tills.flatMap(({ addedBy }) => addedBy ?? []));
  if (tills.length === 0)
    return (
      <Empty title={i18n._('There is no other desk')}>
        {i18n._('The window of another computer can show this shop. People sign in there with their PIN.')}
      </Empty>
    );
  return (
    <ul className={`${page.rows} ${programs.programs}`} aria-label={i18n._('Desks')}>
      {tills.map(({ id, name, asks, addedBy = '', addedAt = 0 }) => (
        <li key={id}>
          <div className={page.grow}>
            <Text fw={500}>
              {name} {asks && <Badge color="amber">{i18n._('Asks to work here')}</Badge>}
            </Text>
            <Text size="xs" c="dimmed">
              {asks
                ? i18n._('Let it in if the other computer shows this key:')
                : i18n._('Let in by {who} on {day}. Its key:', {
                    who: nameOf(addedBy) ?? '',
                    day: formatDate(addedAt),
                  })}{' '}
              <Code>{id}</Code>
            </Text>
          </div>
          {asks && (
            <CapabilityButton variant="filled" name="till.add" args={{ till: id }} source={source}>
              {i18n._('Let in')}
            </CapabilityButton>
          )}
          <CapabilityButton name="till.remove" args={{ till: id }} source={source}>
            {asks ? i18n._('Refuse') : i18n._('Remove')}
          </CapabilityButton>
        </li>
      ))}
    </ul>
  );
}
