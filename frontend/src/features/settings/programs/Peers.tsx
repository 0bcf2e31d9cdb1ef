import { Code, Text } from '@mantine/core';
import { useState } from 'react';
import { entry } from '../../../bridge/manifest';
import { CapabilityButton } from '../../../kit/actions/CapabilityButton';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useEntry, useManifest, useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Empty } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Reading } from '../../../ui/page/Reading';
import classes from './Programs.module.css';

const source = 'Programs';

/** The programs whose actions are offered here: how each is started, and what it offers. */
export function Peers() {
  const mayRead = useEntry('peer.list') !== undefined;
  return mayRead ? <PeersKnown /> : null;
}

function PeersKnown() {
  const read = useCapability('peer.list', {}, { source });
  const manifest = useManifest();
  const peers = read.data?.peers;
  const [adding, setAdding] = useState(false);
  return (
    <Part
      title={i18n._('Actions of other programs')}
      actions={
        <ActionButton disabledReason={useRefusal('peer.add')} onClick={() => setAdding(true)}>
          {i18n._('Add…')}
        </ActionButton>
      }
    >
      <Text mb="sm">{i18n._('What is added or removed counts when Deskhand is opened the next time.')}</Text>
      {!peers && <Reading label={i18n._('Reading the programs')} of={read} />}
      {peers?.length === 0 && (
        <Empty title={i18n._('No program is added')}>
          {i18n._(
            'A program such as a label printer says in a file capabilities.yaml what it offers. Once it is added, its actions are found like any other.',
          )}
        </Empty>
      )}
      <ul className={`${page.rows} ${classes.programs}`} aria-label={i18n._('Programs that are added')}>
        {peers?.map(({ name, command, locations, publicKey, offers }) => (
          <li key={name}>
            <div className={page.grow}>
              <Text fw={500}>{name}</Text>
              <Text size="xs">
                {i18n._('Offers: {actions}', {
                  actions: offers.map((action) => entry(manifest, action)?.title ?? action).join(', '),
                })}
              </Text>
              {command && (
                <Text size="xs" c="dimmed">
                  {i18n._('Started as {command}', { command: command.join(' ') })}
                </Text>
              )}
              {locations && (
                <Text size="xs" c="dimmed">
                  {i18n._('Called at {addresses}', { addresses: locations.join(', ') })}
                </Text>
              )}
              {publicKey && (
                <Text size="xs" c="dimmed">
                  {i18n._('Each call is signed; the program checks it with this key:')} <Code>{publicKey}</Code>
                </Text>
              )}
            </div>
            <CapabilityButton name="peer.remove" args={{ name }} source={source}>
              {i18n._('Remove')}
            </CapabilityButton>
          </li>
        ))}
      </ul>
      {adding && <CapabilityDialog name="peer.add" source={source} onClose={() => setAdding(false)} />}
    </Part>
  );
}
