import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useRef } from 'react';
import { ListRow } from './ListRow';
import type { ListCursor } from './useListCursor';
import { useListRoom } from './useListRoom';
import classes from './VirtualListbox.module.css';

/** The rows of a list; of a very long one some may not be there for a moment. */
interface Rows<T> {
  length: number;
  at: (index: number) => T | undefined;
}

interface VirtualListboxProps<T> {
  id: string;
  label: string;
  items: Rows<T>;
  keyOf: (item: T) => string | number;
  rowHeight: number;
  cursor: ListCursor;
  /** Draws a row; one that is the same function every time is not asked again for what has not changed. */
  renderRow: (item: T) => ReactNode;
  onChoose: (index: number) => void;
  /** Rows that are shown but cannot be chosen. */
  isDisabled?: (item: T) => boolean;
  /** Called when the end comes into view. */
  onEnd?: () => void;
  /** Called when other rows come into view. */
  onShow?: (first: number, last: number) => void;
  /** Called when the beginning comes into view or leaves it. */
  onTop?: (inView: boolean) => void;
  /** Names the list that is shown: another one is shown from where it begins. */
  edition?: string;
  /** The row that is first in view where a list begins. */
  from?: number;
  /** Takes the focus at once. */
  autoFocus?: boolean;
  /** False when a search field above holds the focus and moves the cursor. */
  focusable?: boolean;
}

/** The id of a row, for aria-activedescendant. */
export const rowId = (listId: string, index: number) => `${listId}-row-${index}`;

/** The first row that is wholly in view: taking the focus must not scroll what the person is looking at away. */
const firstInView = (scroller: HTMLElement, rowHeight: number) => Math.ceil(scroller.scrollTop / rowHeight);

/** A list of any length of which only the visible rows exist; arrows move, Enter opens. */
export function VirtualListbox<T>(props: VirtualListboxProps<T>) {
  const {
    id,
    label,
    items,
    keyOf,
    rowHeight,
    cursor,
    renderRow,
    onChoose,
    isDisabled,
    onEnd,
    onShow,
    onTop,
    edition,
    from = 0,
    autoFocus = false,
    focusable = true,
  } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 4,
    initialOffset: from * rowHeight,
    ...useListRoom(),
  });
  const shown = useRef(edition);
  useLayoutEffect(() => {
    if (shown.current === edition) return;
    shown.current = edition;
    rows.scrollToOffset(from * rowHeight);
  }, [edition, from, rowHeight, rows]);
  const visible = rows.getVirtualItems();
  const lastVisible = visible.at(-1)?.index ?? -1;

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
  useEffect(() => {
    if (cursor.active >= 0) rows.scrollToIndex(cursor.active);
  }, [cursor.active, rows]);

  const picked = useRef({ cursor, onChoose });
  useEffect(() => {
    picked.current = { cursor, onChoose };
  });
  const pick = useCallback((index: number, disabled: boolean) => {
    picked.current.cursor.set(index);
    if (!disabled) picked.current.onChoose(index);
  }, []);

  return (
    <div
      ref={scroller}
      id={id}
      role="listbox"
      aria-label={label}
      className={classes.scroller}
      tabIndex={focusable ? 0 : -1}
      data-autofocus={autoFocus || undefined}
      aria-activedescendant={focusable && cursor.active >= 0 ? rowId(id, cursor.active) : undefined}
      onKeyDown={focusable ? cursor.onKeyDown : undefined}
      onFocus={({ target, currentTarget }) => {
        // A press focuses its row before it becomes a click; if the list scrolled now, another row would be under it.
        if (target !== currentTarget || !focusable || cursor.active >= 0) return;
        cursor.set(firstInView(currentTarget, rowHeight));
      }}
    >
      <div role="presentation" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {visible.map(({ index, start }) => {
          const item = items.at(index);
          if (item === undefined) {
            const place = { height: rowHeight, transform: `translateY(${start}px)` };
            return <div key={`at ${index}`} aria-hidden className={classes.waiting} style={place} />;
          }
          return (
            <ListRow
              key={keyOf(item)}
              id={rowId(id, index)}
              item={item}
              index={index}
              of={items.length}
              start={start}
              height={rowHeight}
              active={index === cursor.active}
              disabled={isDisabled?.(item) ?? false}
              renderRow={renderRow}
              onPick={pick}
            />
          );
        })}
      </div>
    </div>
  );
}
