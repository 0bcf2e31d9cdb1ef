import { VisuallyHidden } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { rowId } from '../../ui/list/VirtualListbox';
import classes from './Chat.module.css';
import type { useMentions } from './useMentions';

type MentionListProps = Pick<ReturnType<typeof useMentions>, 'list' | 'groups' | 'count' | 'active' | 'choose'>;

/** The records that were found for an "@", above the field that is written in; the focus stays there. */
export function MentionList({ list, groups, count, active, choose }: MentionListProps) {
  const all = groups.flatMap(({ items }) => items);
  return (
    <>
      <VisuallyHidden role="status">
        {count > 0 && i18n._('{count, plural, one {# record found} other {# records found}}', { count })}
      </VisuallyHidden>
      {count > 0 && (
        <div id={list} role="listbox" aria-label={i18n._('Records found')} className={classes.mentions}>
          {groups.map(({ group, items }) => (
            // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
            <div key={group} role="group" aria-label={group}>
              <div aria-hidden className={classes.mentionKind}>
                {group}
              </div>
              {items.map((found) => {
                const row = all.indexOf(found);
                return (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys
                  <div
                    key={found.value}
                    id={rowId(list, row)}
                    role="option"
                    tabIndex={-1}
                    aria-selected={row === active}
                    className={classes.mention}
                    onMouseDown={(event) => event.preventDefault()} // the field keeps the focus
                    onClick={() => choose(found)}
                  >
                    {found.label}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
      )}
    </>
  );
}
