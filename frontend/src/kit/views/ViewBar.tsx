import { ActionIcon, Button, Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { NameView } from './NameView';
import { useKeepViews, useViews } from './useViews';
import classes from './Views.module.css';
import { alike, type View } from './view';

interface ViewBarProps {
  /** The capability that lists. */
  of: string;
  /** What it is narrowed to and sorted by. */
  values: JsonObject;
  onChange: (values: JsonObject) => void;
}

/** The saved views of a list, above it: each is shown by a press, and left by another. */
export function ViewBar({ of, values, onChange }: ViewBarProps) {
  const own = useViews().views.filter(({ list }) => list === of);
  if (own.length === 0) return null;
  return (
    <ul className={classes.views} aria-label={i18n._('Views')}>
      {own.map((view) => {
        const shown = alike(view.values, values);
        return (
          <li key={view.id}>
            <Button
              size="compact-sm"
              variant={shown ? 'light' : 'default'}
              aria-pressed={shown}
              onClick={() => onChange(shown ? {} : view.values)}
            >
              {view.name}
            </Button>
            <ViewMenu view={view} />
          </li>
        );
      })}
    </ul>
  );
}

/** What is done with a saved view. */
function ViewMenu({ view }: { view: View }) {
  const [renaming, setRenaming] = useState(false);
  const keep = useKeepViews();
  if (!keep) return null;
  return (
    <>
      <Menu position="bottom-start" withinPortal={false}>
        <Menu.Target>
          <ActionIcon size="sm" aria-label={i18n._('More of {name}', { name: view.name })}>
            <IconDots size={15} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setRenaming(true)}>{i18n._('Rename…')}</Menu.Item>
          <Menu.Item onClick={() => keep.remove.mutate(view.id)}>{i18n._('Delete')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {renaming && <NameView view={view} onClose={() => setRenaming(false)} />}
    </>
  );
}
