import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { i18n } from '../../../language/i18n';
import { Dialog } from '../../../ui/page/Dialog';
import page from '../../../ui/page/Page.module.css';
import { type ActionName, orderActions, type Reasons } from './actions';

interface MoreActionsProps {
  possible: readonly ActionName[];
  impossible: readonly ActionName[];
  reasons: Reasons;
  onChoose: (name: ActionName) => void;
}

/** The menu of what is seldom done with an order; the last item tells what is not possible now, and why. */
export function MoreActions({ possible, impossible, reasons, onChoose }: MoreActionsProps) {
  const [asked, setAsked] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const then = (next: () => void) => () => {
    button.current?.focus(); // where a dialog brings it back to
    next();
  };
  return (
    <>
      <Menu position="bottom-start" withinPortal={false}>
        <Menu.Target>
          <Button ref={button} variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
            {i18n._('More')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {possible.map((name) => (
            <Menu.Item key={name} onClick={then(() => onChoose(name))}>
              {orderActions[name]}
            </Menu.Item>
          ))}
          {impossible.length > 0 && (
            <Menu.Item c="dimmed" onClick={then(() => setAsked(true))}>
              {i18n._('Not possible now')}
            </Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {asked && <Impossible actions={impossible} reasons={reasons} onClose={() => setAsked(false)} />}
    </>
  );
}

interface ImpossibleProps {
  actions: readonly ActionName[];
  reasons: Reasons;
  onClose: () => void;
}

/** What cannot be done with an order now, each with its reason. */
function Impossible({ actions, reasons, onClose }: ImpossibleProps) {
  return (
    <Dialog onClose={onClose} title={i18n._('Not possible now')} size="md">
      <ul className={page.rows}>
        {actions.map((name) => (
          <li key={name}>
            <div>
              <Text fw={500}>{orderActions[name]}</Text>
              <Text size="xs" c="dimmed">
                {reasons[name]}
              </Text>
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
