import { Button, Menu, Text } from '@mantine/core';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { i18n } from '../../../language/i18n';
import classes from '../Orders.module.css';
import { type ActionName, orderActions, type Reasons } from './actions';

interface MoreActionsProps {
  possible: readonly ActionName[];
  impossible: readonly ActionName[];
  reasons: Reasons;
  onChoose: (name: ActionName) => void;
}

/** The menu of what is seldom done with an order; what is not possible now is folded away in it, each with its reason. */
export function MoreActions({ possible, impossible, reasons, onChoose }: MoreActionsProps) {
  const [unfolded, setUnfolded] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const choose = (name: ActionName) => {
    button.current?.focus(); // where a dialog brings it back to
    onChoose(name);
  };
  const Chevron = unfolded ? IconChevronDown : IconChevronRight;
  return (
    <Menu position="bottom-start" withinPortal={false} onClose={() => setUnfolded(false)}>
      <Menu.Target>
        <Button ref={button} variant="default" rightSection={<IconChevronDown size={15} aria-hidden />}>
          {i18n._('More')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.more}>
        {possible.map((name) => (
          <Menu.Item key={name} onClick={() => choose(name)}>
            {orderActions[name]}
          </Menu.Item>
        ))}
        {possible.length > 0 && impossible.length > 0 && <Menu.Divider />}
        {impossible.length > 0 && (
          <Menu.Item
            closeMenuOnClick={false}
            aria-expanded={unfolded}
            leftSection={<Chevron size={15} aria-hidden />}
            onClick={() => setUnfolded(!unfolded)}
          >
            {i18n._('Not possible now')}
          </Menu.Item>
        )}
        {unfolded &&
          impossible.map((name) => (
            <Menu.Item key={name} aria-disabled closeMenuOnClick={false} className={classes.impossible}>
              {orderActions[name]}
              <Text size="xs">{reasons[name]}</Text>
            </Menu.Item>
          ))}
      </Menu.Dropdown>
    </Menu>
  );
}
