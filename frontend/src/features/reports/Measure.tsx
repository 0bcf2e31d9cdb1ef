import classes from './Reports.module.css';

interface MeasureProps {
  value: number;
  /** The value of the longest bar. */
  most: number;
  low?: boolean;
}

/** A bar beside a figure, as long as its part of the most; only to look at. */
export function Measure({ value, most, low }: MeasureProps) {
  const percent = most > 0 ? Math.max(0, Math.min(100, (100 * value) / most)) : 0;
  return (
    <div className={classes.track} aria-hidden>
      <span className={classes.fill} data-tone={low ? 'low' : undefined} style={{ width: `${percent}%` }} />
    </div>
  );
}
