import { VisuallyHidden } from '@mantine/core';
import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { useRowHeight, useSizes } from '../theme/sizes';
import { head } from './cells';
import { ListRow, type Press } from './ListRow';
import { type Picking, pickByKey } from './picking';
import type { ListCursor, Rows } from './useListCursor';
import { useListRoom } from './useListRoom';
import classes from './VirtualListbox.module.css';

interface VirtualListboxProps<T> {
  id: string;
  label: string;
  items: Rows<T>;
  keyOf: (item: T) => string | number;
  /** Pixels at 100 % in the compact density. */
  rowHeight: number;
  /**
   * The heads of the columns, for a screen reader alone, or where they are seen: in a headRow of the same id. With heads
   * the list is a grid, and what renderRow draws has cells.
   */
  heads?: readonly string[] | 'above';
  /** The name of the group of a row, shown above its first one. Without it the list has no groups. */
  groupOf?: (item: T) => string;
  cursor: ListCursor;
  /** Draws a row; one that is the same function every time is not asked again for what has not changed. */
  renderRow: (item: T) => ReactNode;
  onChoose: (index: number) => void;
  /** Rows that are shown but cannot be chosen. */
  isDisabled?: (item: T) => boolean;
  /** Picks several rows, told by the texts of their keys, each in a box of its own. */
  picking?: Picking;
  /** Called when the end comes into view. */
  onEnd?: () => void;
  /** Called when other rows come into view. */
  onShow?: (first: number, last: number) => void;
  /** Called when the beginning comes into view or leaves it. */
  onTop?: (inView: boolean) => void;
  /** Names the list that is shown: another one is shown from where it begins. */
  edition?: unknown;
  /** The row that is first in view where a list begins. */
  from?: number;
  /** Takes the focus at once. */
  autoFocus?: boolean;
  /** False when a search field above holds the focus and moves the cursor. */
  focusable?: boolean;
}

/** Pixels of the name of a group at 100 %. */
const HEADING = 28;

/** The id of the row of heads of a list. */
const headsOf = (listId: string) => `${listId}-heads`;

const rowOfHeads = (listId: string, rows: number) =>
  ({ id: headsOf(listId), role: 'row', 'aria-rowindex': 1, 'aria-hidden': rows === 0 }) as const;

/** Room for a scroll bar, whether there is one or not: heads stand above their columns. */
const scrollbarGutter = 'stable';

/** What makes an element the row of heads that are seen above a list; without rows there is no grid. */
export const headRow = (listId: string, rows: number) =>
  ({ ...rowOfHeads(listId, rows), style: { overflow: 'hidden', scrollbarGutter } }) as const;

/** The id of a row, for aria-activedescendant. */
export const rowId = (listId: string, index: number) => `${listId}-row-${index}`;

/** The first row that is wholly in view: taking the focus must not scroll what the person is looking at away. */
const firstInView = (scroller: HTMLElement, rowHeight: number) => Math.ceil(scroller.scrollTop / rowHeight);

/** A list of any length of which only the visible rows exist; arrows move, Enter opens, Space picks. */
export function VirtualListbox<T>(props: VirtualListboxProps<T>) {
  const {
    id,
    label,
    items,
    keyOf,
    rowHeight: usualHeight,
    heads,
    groupOf,
    cursor,
    renderRow,
    onChoose,
    isDisabled,
    picking,
    onEnd,
    onShow,
    onTop,
    edition,
    from = 0,
    autoFocus = false,
    focusable = true,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rowHeight = useRowHeight(usualHeight);
  const heading = Math.round(HEADING * useSizes().scale);
  const groupAt = (index: number) => {
    const item = items.at(index);
    return groupOf && index >= 0 && item !== undefined ? groupOf(item) : undefined;
  };
  const begins = (index: number) => groupAt(index) !== groupAt(index - 1);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => rowHeight + (begins(index) ? heading : 0),
    // Another function for other items: as many rows may begin their groups elsewhere.
    ...(groupOf && { getItemKey: (index) => `${index} ${begins(index)}` }),
    overscan: 4,
    initialOffset: from * rowHeight,
    ...useListRoom(),
  });
  const measured = useRef(rowHeight);
  useLayoutEffect(() => {
    if (measured.current === rowHeight) return;
    measured.current = rowHeight;
    rows.measure(); // it keeps the heights that it was told
  }, [rowHeight, rows]);
  const shown = useRef(edition);
  useLayoutEffect(() => {
    if (shown.current === edition) return;
    shown.current = edition;
    rows.scrollToOffset(from * rowHeight);
  }, [edition, from, rowHeight, rows]);
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? -1;
  const atHand = visible.some(({ index }) => index === cursor.active); // in a lower window it may not be

  useEffect(() => {
    if (lastVisible >= items.length - 1 && items.length > 0) onEnd?.();
  }, [lastVisible, items.length, onEnd]);
  const first = rows.range?.startIndex ?? from;
  const last = rows.range?.endIndex ?? from;
  useEffect(() => onShow?.(first, last), [first, last, onShow]);
  const top = first === 0;
  useEffect(() => onTop?.(top), [top, onTop]);
  useEffect(() => {
    if (autoFocus) scroller.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  const before = useRef({ active: -1, moves: -1, atHand: false });
  useLayoutEffect(() => {
    const { active, moves, atHand: seen } = before.current;
    const followed = seen && active >= 0 && cursor.active !== active;
    const offset = rows.scrollOffset ?? 0;
    // It stays where it was seen; at the top the new rows are shown as long as it is in view beside them.
    if (followed && offset > 0) rows.scrollToOffset(offset + (cursor.active - active) * rowHeight);
    else if (cursor.active >= 0 && (followed || cursor.moves !== moves)) rows.scrollToIndex(cursor.active);
    before.current = { active: cursor.active, moves: cursor.moves, atHand };
  });

  const pressed = useRef({ cursor, onChoose, picking });
  useEffect(() => {
    pressed.current = { cursor, onChoose, picking };
  });
  const press = useCallback((index: number, how: Press) => {
    const { cursor, onChoose, picking } = pressed.current;
    if (how === 'extend') picking?.extend(index, cursor.active < 0 ? index : cursor.active);
    if (how === 'toggle') picking?.toggle(index);
    // The keys go on from a row that was picked; one that is opened has its own way back.
    if (how === 'extend' || how === 'toggle') scroller.current?.focus({ preventScroll: true });
    cursor.set(index);
    if (how === 'open') onChoose(index);
  }, []);

  const drawn = ({ index, end }: VirtualItem) => {
    const item = items.at(index);
    const start = end - rowHeight;
    if (item === undefined) {
      const place = placeOf(start, rowHeight);
      return <div key={`at ${index}`} aria-hidden className={classes.waiting} style={place} />;
    }
    return (
      <ListRow
        key={keyOf(item)}
        id={rowId(id, index)}
        item={item}
        index={index}
        of={items.length}
        inGrid={heads !== undefined}
        start={start}
        height={rowHeight}
        active={index === cursor.active}
        disabled={isDisabled?.(item) ?? false}
        picked={picking?.has(String(keyOf(item)))}
        renderRow={renderRow}
        onPress={press}
      />
    );
  };

  const onKeyDown = (event: KeyboardEvent) => {
    if (!picking || !pickByKey(event, cursor, items.length, picking)) cursor.onKeyDown(event);
  };
  const grid = (
    // biome-ignore lint/a11y/noStaticElementInteractions: a grid, or a listbox
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a grid, or a listbox
    <div
      ref={scroller}
      id={id}
      role={heads ? 'grid' : 'listbox'}
      aria-label={label}
      aria-rowcount={heads && items.length + 1}
      aria-multiselectable={picking && true}
      aria-owns={heads && headsOf(id)}
      className={classes.scroller}
      style={heads === 'above' ? { scrollbarGutter } : undefined}
      tabIndex={focusable ? 0 : -1}
      data-autofocus={autoFocus || undefined}
      aria-activedescendant={focusable && atHand ? rowId(id, cursor.active) : undefined}
      onKeyDown={focusable ? onKeyDown : undefined}
      onFocus={({ target, currentTarget }) => {
        // A press focuses its row before it becomes a click; if the list scrolled now, another row would be under it.
        if (target !== currentTarget || !focusable || cursor.active >= 0) return;
        cursor.set(firstInView(currentTarget, rowHeight));
      }}
    >
      <div role="presentation" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {groupOf
          ? parts(visible, ({ index }) => groupAt(index)).map(({ group, rows: some }) => (
              // biome-ignore lint/a11y/useSemanticElements: a group of options in a listbox
              <div key={group} role="group" aria-label={group}>
                {some[0] && begins(some[0].index) && (
                  <div aria-hidden className={classes.heading} style={placeOf(some[0].start, heading)}>
                    {group}
                  </div>
                )}
                {some.map(drawn)}
              </div>
            ))
          : visible.map(drawn)}
      </div>
    </div>
  );
  if (!Array.isArray(heads)) return grid;
  return (
    <>
      <VisuallyHidden {...rowOfHeads(id, items.length)}>
        {heads.map((words) => (
          <span key={words} {...head}>
            {words}
          </span>
        ))}
      </VisuallyHidden>
      {grid}
    </>
  );
}

const placeOf = (start: number, height: number) => ({ height, transform: `translateY(${start}px)` });

/** The rows that follow each other in the same group. */
function parts<R>(rows: readonly R[], groupOf: (row: R) => string | undefined) {
  const found: { group: string | undefined; rows: R[] }[] = [];
  for (const row of rows) {
    const group = groupOf(row);
    const last = found.at(-1);
    if (last && last.group === group) last.rows.push(row);
    else found.push({ group, rows: [row] });
  }
  return found;
}
