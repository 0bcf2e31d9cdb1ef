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
  active: boolean;
  disabled: boolean;
  renderRow: (item: T) => ReactNode;
  onPick: (index: number, disabled: boolean) => void;
}

/** One row of a virtual list. It is drawn again only when something of it is another one. */
export const ListRow = memo(function ListRow<T>(props: ListRowProps<T>) {
  const { id, item, index, of, start, height, active, disabled, renderRow, onPick } = props;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the listbox takes the keys
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={active}
      aria-disabled={disabled || undefined}
      aria-setsize={of}
      aria-posinset={index + 1}
      className={classes.row}
      style={{ height, transform: `translateY(${start}px)` }}
      onClick={() => onPick(index, disabled)}
    >
      {renderRow(item)}
    </div>
  );
}) as <T>(props: ListRowProps<T>) => ReactNode;
