import { useEffect, useRef } from 'react';
import { i18n } from '../../language/i18n';
import { cell, head } from './cells';
import classes from './PickBox.module.css';
import type { Picking } from './picking';

interface PickBoxProps {
  picked: boolean;
  onPick: (toHere: boolean) => void;
}

/** The cell in which a row is picked. The list has the keys, so the box is no stop of its own. */
export function PickBox({ picked, onPick }: PickBoxProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list takes the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: a cell
    <span
      {...cell}
      className={classes.cell}
      onMouseDown={(event) => event.preventDefault()} // the focus stays with the list
      onClick={(event) => {
        event.stopPropagation(); // the row would be opened
        onPick(event.shiftKey);
      }}
    >
      <input type="checkbox" tabIndex={-1} aria-label={i18n._('Select')} checked={picked} readOnly />
    </span>
  );
}

/** The head above these cells: picks everything that is loaded, or nothing. */
export function PickAll({ picking: { count, every, all, clear }, loaded }: { picking: Picking; loaded: number }) {
  const box = useRef<HTMLInputElement>(null);
  const some = count > 0 && !every;
  useEffect(() => {
    if (box.current) box.current.indeterminate = some;
  }, [some]);
  return (
    <span {...head} className={`${classes.cell} ${classes.head}`}>
      <label title={i18n._('Select all that are loaded')}>
        <input
          ref={box}
          type="checkbox"
          aria-label={i18n._('Select all that are loaded')}
          disabled={loaded === 0}
          checked={every}
          onChange={every ? clear : all}
        />
      </label>
    </span>
  );
}
