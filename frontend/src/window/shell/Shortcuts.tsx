import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { keyText } from '../../ui/keys/keyed';
import { listedKeys } from '../../ui/keys/registry';
import { Dialog } from '../../ui/page/Dialog';
import classes from './Shell.module.css';

/** The keys that act now: those of the page first, then those that act everywhere. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const [keys] = useState(listedKeys);
  return (
    <Dialog onClose={onClose} title={i18n._('Keys')} size="sm">
      <dl className={classes.keys}>
        {[...keys].map(([key, does]) => (
          <div key={key}>
            <dt>
              <kbd>{keyText(key)}</kbd>
            </dt>
            <Text component="dd" m={0}>
              {does}
            </Text>
          </div>
        ))}
      </dl>
      <Tours onStarted={onClose} />
    </Dialog>
  );
}

/** Buttons that start the tours. */
function Tours({ onStarted }: { onStarted: () => void }) {
  const source = 'Shortcuts';
  const enabled = useEntry('tour.get')?.available ?? false;
  const tours = useCapability('tour.get', {}, { source, enabled }).data?.tours ?? [];
  const { mutate } = useInvoke('tour.start', { source });
  if (tours.length === 0) return null;
  return (
    <div className={classes.tours}>
      {tours.map(({ id, title }) => (
        <Button key={id} variant="default" onClick={() => mutate({ tour: id }, { onSuccess: onStarted })}>
          {title}
        </Button>
      ))}
    </div>
  );
}
