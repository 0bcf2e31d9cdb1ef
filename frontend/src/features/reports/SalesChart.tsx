import { useState } from 'react';
import { formatRound } from '../../language/format';
import { i18n } from '../../language/i18n';
import classes from './Reports.module.css';
import { type Bar, ticksOf } from './report';

/** As many words as stand beside each other below the bars. */
const STEPS = 12;

interface SalesChartProps {
  bars: Bar[];
  currency: string;
  /** The description of the chart, in a sentence. */
  title: string;
}

/** Total sales, a bar for each step. It is a picture: the table below says the same to everybody. */
export function SalesChart({ bars, currency, title }: SalesChartProps) {
  const [pointed, point] = useState<number>();
  const ticks = ticksOf(bars.map(({ amount }) => amount));
  const low = ticks[0] ?? 0;
  const range = (ticks.at(-1) ?? 0) - low || 1;
  const up = (amount: number) => `${(100 * (amount - low)) / range}%`;
  const at = (index: number) => `${(100 * (index + 0.5)) / bars.length}%`;
  const every = Math.ceil(bars.length / STEPS);
  const said = pointed === undefined ? undefined : bars[pointed];
  return (
    <figure className={classes.figure}>
      <div role="img" aria-label={i18n._('Total sales: {title}', { title })} className={classes.chart}>
        {ticks.map((amount) => (
          <div
            key={amount}
            className={classes.tick}
            data-zero={amount === 0 || undefined}
            style={{ bottom: up(amount) }}
          >
            <span>{formatRound(amount, currency)}</span>
          </div>
        ))}
        <div className={classes.bars} onPointerLeave={() => point(undefined)}>
          {bars.map(({ amount, step, title }, index) => (
            <div key={title} className={classes.slot} onPointerEnter={() => point(index)}>
              <div
                className={classes.column}
                style={{ bottom: up(Math.min(0, amount)), height: `${(100 * Math.abs(amount)) / range}%` }}
              />
              {index % every === 0 && (
                <span className={classes.step} data-every={(index / every) % 2 ? 'second' : undefined}>
                  {step}
                </span>
              )}
            </div>
          ))}
        </div>
        {said && pointed !== undefined && (
          <div className={classes.said} style={{ left: at(pointed), transform: `translateX(-${at(pointed)})` }}>
            {said.title}
          </div>
        )}
      </div>
    </figure>
  );
}
