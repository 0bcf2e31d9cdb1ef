import { Modal } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useManifest } from '../../bus/hooks';
import { entry as entryOf } from '../../bus/manifest';
import { Loading } from '../../ui/Loading';
import { useFocusBack } from '../../ui/useFocusBack';
import { CommandList } from './CommandList';
import { remember } from './commands';
import classes from './Palette.module.css';

const CommandForm = lazy(() => import('./CommandForm'));

interface PaletteProps {
  /** The capability whose form is shown at once, such as one whose key was pressed. */
  first?: string;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

/** Everything the application can do, by name; what it needs is asked in a form. */
export function Palette({ first, onClose, onOpenTrace }: PaletteProps) {
  const manifest = useManifest();
  const [chosen, setChosen] = useState(first);
  useFocusBack();
  const entry = entryOf(manifest, chosen ?? '');
  return (
    <Modal.Root opened onClose={onClose} size="lg" padding={0} yOffset="8vh" closeOnEscape={!entry}>
      <Modal.Overlay />
      <Modal.Content aria-label="Find an action">
        <Modal.Body className={classes.body}>
          {entry ? (
            <Suspense fallback={<Loading label="Opening the form" />}>
              <CommandForm
                entry={entry}
                onBack={() => setChosen(undefined)}
                onClose={onClose}
                onOpenTrace={(requestId) => {
                  onClose();
                  onOpenTrace(requestId);
                }}
              />
            </Suspense>
          ) : (
            <CommandList
              entries={manifest?.capabilities ?? []}
              onChoose={(name) => {
                remember(name);
                setChosen(name);
              }}
            />
          )}
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}
