import '@mantine/charts/styles.css';
import { BarChart } from '@mantine/charts';
import { i18n } from '../../language/language';
import { formatRound } from '../../ui/format';
import classes from './Reports.module.css';
import type { Bar } from './report';

interface SalesChartProps {
  bars: Bar[];
  currency: string;
  /** What it shows, in a sentence. */
  title: string;
}

/** Net sales, a bar for each step. It is a picture: the table below says the same to everybody. */
export function SalesChart({ bars, currency, title }: SalesChartProps) {
  return (
    <figure className={classes.figure}>
      <div role="img" aria-label={i18n._('Net sales: {title}', { title })}>
        <BarChart
          h={240}
          data={bars.map((bar) => ({ ...bar }))}
          dataKey="step"
          series={[{ name: 'net', label: i18n._('Net'), color: 'var(--dh-accent)' }]}
          valueFormatter={(amount) => formatRound(amount, currency)}
          maxBarWidth={40}
          yAxisProps={{ width: 64 }}
          xAxisProps={{ minTickGap: 16 }}
          barChartProps={{ accessibilityLayer: false }}
          barProps={{ isAnimationActive: false }}
          tooltipProps={{ isAnimationActive: false, content: ({ payload }) => <Said bar={payload?.[0]?.payload} /> }}
        />
      </div>
    </figure>
  );
}

/** What a bar says when it is pointed at. */
function Said({ bar }: { bar?: Bar }) {
  return bar ? <div className={classes.said}>{bar.title}</div> : null;
}
