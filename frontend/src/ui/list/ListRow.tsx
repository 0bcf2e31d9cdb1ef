import { memo, type ReactNode } from 'react';
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
  renderRow: (item: T) => ReactNode;
  onPick: (index: number, disabled: boolean) => void;
}

/** One row of a virtual list. It is drawn again only when something of it is another one. */
export const ListRow = memo(function ListRow<T>(props: ListRowProps<T>) {
  const { id, item, index, of, start, height, inGrid, active, disabled, renderRow, onPick } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: a row, or an option
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a row, or an option
    <div
      id={id}
      role={inGrid ? 'row' : 'option'}
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={disabled || undefined}
      {...(inGrid ? { 'aria-rowindex': index + 2 } : { 'aria-setsize': of, 'aria-posinset': index + 1 })}
      className={classes.row}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={() => onPick(index, disabled)}
    >
      {renderRow(item)}
    </div>
  );
}) as <T>(props: ListRowProps<T>) => ReactNode;
