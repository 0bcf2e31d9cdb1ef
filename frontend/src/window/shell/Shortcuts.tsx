import { Button, Kbd, Modal, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useManifest } from '../../queries/useManifest';
import { pages } from '../../shop/places';
import { useFocusBack } from '../../ui/keys/useFocusBack';
import classes from './Shell.module.css';

const ofTheWindow = [
  ['F1', i18n._('This list')],
  ['?', i18n._('This list, where nothing is being typed')],
  ['F2', i18n._('Search products')],
  ['F4', i18n._('At the counter: what pays, and the next method; of an order: its return')],
  [i18n._('Shift F4'), i18n._('At the counter: how the buyer gets it')],
  [i18n._('Shift F9'), i18n._('At the counter: the receipt of the sale that was just made')],
  ['F5', i18n._('At the counter: the quantity of the last line; of an order: its exchange')],
  ['/', i18n._('Search the list that is shown')],
  [i18n._('Space'), i18n._('Select a row of a list, or no longer')],
  [i18n._('Shift ↓, Shift ↑'), i18n._('Select the rows up to the next or the one before')],
  [i18n._('Ctrl A'), i18n._('Select all rows of a list that are loaded')],
  ['F8', i18n._('Go to the question that waits for you, when there is one')],
  [i18n._('Shift F8'), i18n._('Allow it once: the one with the focus, or the only one beside the open assistant')],
  [i18n._('Ctrl K'), i18n._('Find a page, a record, a setting or an action')],
  [i18n._('Ctrl J'), i18n._('Open or close the assistant')],
  [i18n._('Alt A'), i18n._('How far the assistant goes by itself')],
  [i18n._('Ctrl +, Ctrl −, Ctrl 0'), i18n._('Larger text, smaller text, the usual size')],
  ...pages.map(({ shortcut, title }) => [shortcut, title] as const),
] as const;

/** The keys: those of the window, and those the capabilities bring along. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  useFocusBack();
  const capabilities = useManifest()?.capabilities ?? [];
  const brought = capabilities.flatMap(({ shortcut, title }) => (shortcut ? [[shortcut, title] as const] : []));
  return (
    <Modal opened onClose={onClose} title={i18n._('Keys')} size="sm">
      <dl className={classes.keys}>
        {[...ofTheWindow, ...brought].map(([key, what]) => (
          <div key={`${key} ${what}`}>
            <dt>
              <Kbd>{key}</Kbd>
            </dt>
            <Text component="dd" m={0}>
              {what}
            </Text>
          </div>
        ))}
      </dl>
      <Tours onStarted={onClose} />
    </Modal>
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
