import { type MouseEvent, memo, type ReactNode } from 'react';
import { PickBox } from './PickBox';
import classes from './VirtualListbox.module.css';

interface ListRowProps<T> {
  id: string;
  item: T;
  index: number;
  /** The number of rows. */
  of: number;
  /** Pixels from the top of the list. */
  start: number;
  height: number;
  /** In a grid it has cells. */
  inGrid: boolean;
  active: boolean;
  disabled: boolean;
  /** Whether it is one of several that are picked; undefined where only one is chosen. */
  picked: boolean | undefined;
  renderRow: (item: T) => ReactNode;
  onPress: (index: number, how: Press) => void;
}

/** What pressing a row does: opens it, picks it or no longer, picks the rows up to it, or only leads there. */
export type Press = 'open' | 'toggle' | 'extend' | 'mark';

function pressOf({ shiftKey, ctrlKey, metaKey }: MouseEvent): Press {
  if (shiftKey) return 'extend';
  return ctrlKey || metaKey ? 'toggle' : 'open';
}

/** One row of a virtual list. It is drawn again only when something of it is another one. */
export const ListRow = memo(function ListRow<T>(props: ListRowProps<T>) {
  const { id, item, index, of, start, height, inGrid, active, disabled, renderRow, onPress } = props;
  const { picked } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: a row, or an option
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a row, or an option
    <div
      id={id}
      role={inGrid ? 'row' : 'option'}
      tabIndex={-1}
      aria-selected={picked ?? active}
      data-active={active || undefined}
      aria-disabled={disabled || undefined}
      {...(inGrid ? { 'aria-rowindex': index + 2 } : { 'aria-setsize': of, 'aria-posinset': index + 1 })}
      className={picked === undefined ? classes.row : `${classes.row} ${classes.pickable}`}
      style={{ height, transform: `translateY(${start}px)` }}
      onMouseDown={(event) => {
        if (picked !== undefined && event.shiftKey) event.preventDefault(); // no text is marked
      }}
      onClick={(event) => onPress(index, picked !== undefined ? pressOf(event) : disabled ? 'mark' : 'open')}
    >
      {picked !== undefined && (
        <PickBox picked={picked} onPick={(toHere) => onPress(index, toHere ? 'extend' : 'toggle')} />
      )}
      {renderRow(item)}
    </div>
  );
}) as <T>(props: ListRowProps<T>) => ReactNode;
