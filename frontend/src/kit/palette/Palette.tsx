import { Modal } from '@mantine/core';
import { useMemo, useState } from 'react';
import { entry as entryOf } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { useManifest, useNextActions } from '../../queries/useManifest';
import { useFocusBack } from '../../ui/keys/useFocusBack';
import { KeyLayer } from '../../ui/keys/useKeys';
import { lazyPart } from '../../ui/window/lazyPart';
import { asks, type Routine, useRunRoutine } from '../routines/useRoutines';
import { CommandList } from './CommandList';
import { NEXT_SHOWN, remember } from './commands';
import classes from './Palette.module.css';

const CommandForm = lazyPart(
  () => import('./CommandForm'),
  () => i18n._('Opening the form'),
);

const RunRoutine = lazyPart(
  () => import('../routines/RunRoutine'),
  () => i18n._('Opening the form'),
);

interface PaletteProps {
  /** The capability whose form is shown; absent while there is none. */
  chosen?: string;
  onChosen: (capability: string | undefined) => void;
  onClose: () => void;
  onOpenTrace: (requestId: string) => void;
}

/** Pages, records, settings and every capability by name; a form asks for the arguments of one. */
export function Palette({ chosen, onChosen, onClose, onOpenTrace }: PaletteProps) {
  const manifest = useManifest();
  const [forms, setForms] = useState(0); // the same one again is a new form
  const likely = useNextActions();
  const next = useMemo(() => likely.slice(0, NEXT_SHOWN).map(({ name }) => name), [likely]);
  const choose = (name: string) => {
    remember(name);
    onChosen(name);
    setForms(forms + 1);
  };
  const [routine, setRoutine] = useState<Routine>();
  const run = useRunRoutine();
  const start = (chosen: Routine) => {
    if (asks(chosen)) return setRoutine(chosen);
    run(chosen);
    onClose();
  };
  useFocusBack();
  const entry = entryOf(manifest, chosen ?? '');
  if (routine) return <RunRoutine {...{ routine, onClose }} />;
  return (
    <KeyLayer kind="dialog" onEscape={onClose}>
      <Modal.Root opened onClose={onClose} size="lg" padding={0} yOffset="8vh" closeOnEscape={false}>
        <Modal.Overlay />
        <Modal.Content aria-label={i18n._('Find pages, records, settings, actions')}>
          <Modal.Body className={classes.body}>
            {entry ? (
              <CommandForm
                key={forms}
                entry={entry}
                onChoose={choose}
                onBack={() => onChosen(undefined)}
                onClose={onClose}
                onOpenTrace={(requestId) => {
                  onClose();
                  onOpenTrace(requestId);
                }}
              />
            ) : (
              <CommandList
                entries={manifest?.capabilities ?? []}
                {...{ next, onClose }}
                onChoose={choose}
                onRun={start}
              />
            )}
          </Modal.Body>
        </Modal.Content>
      </Modal.Root>
    </KeyLayer>
  );
}
