import { useId } from 'react';
import classes from './Segments.module.css';

interface SegmentsProps<T extends string> {
  /** The name of the choice, such as "Status". */
  label: string;
  choices: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** One of a few, all of them seen. Mantine's own has the page laid out to move its mark, each time it appears. */
export function Segments<T extends string>({ label, choices, value, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div role="radiogroup" aria-label={label} className={classes.root}>
      {choices.map((choice) => (
        <label key={choice.value} className={classes.segment}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
            className={classes.input}
          />
          <span className={classes.words}>{choice.label}</span>
        </label>
      ))}
    </div>
  );
}
