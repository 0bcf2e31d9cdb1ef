import type { Response } from '../../bridge/capabilities';
import { formatCount, formatDays, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import page from '../../ui/page/Page.module.css';
import classes from './Reports.module.css';
import { rateText, type Takings } from './report';

type Report = Response<'report.sales'>;
type Amounts = Omit<Takings, 'title'>;

/** The totals of a report as accounts have them: what is taken off and added, sum by sum, beside another time. */
export function SalesStatement({ report: { from, to, totals, taxes, before } }: { report: Report }) {
  const columns: Amounts[] = before ? [totals, before.totals, before.difference] : [totals];
  const rates = taxes.filter(({ tax }) => tax.amount !== 0);
  return (
    <table className={`${page.table} ${classes.statement}`} aria-label={i18n._('Totals')}>
      {before && (
        <thead>
          <tr>
            <td />
            <th scope="col" className={page.number}>
              {formatDays(from, to)}
            </th>
            <th scope="col" className={page.number}>
              {formatDays(before.from, before.to)}
            </th>
            <th scope="col" className={page.number}>
              {i18n._('Difference')}
            </th>
          </tr>
        </thead>
      )}
      <tbody>
        <Line label={i18n._('Orders')} values={columns.map(({ orders }) => formatCount(orders))} />
        <Line label={i18n._('Gross sales')} values={columns.map(({ grossSales }) => formatMoney(grossSales))} />
        <Line label={i18n._('Discounts')} less values={columns.map(({ discounts }) => formatMoney(discounts))} />
        <Line label={i18n._('Returns')} less values={columns.map(({ returns }) => formatMoney(returns))} />
        <Line label={i18n._('Net sales')} sum values={columns.map(({ netSales }) => formatMoney(netSales))} />
        <Line label={i18n._('Shipping')} values={columns.map(({ shipping }) => formatMoney(shipping))} />
        {before || rates.length === 0 ? (
          <Line label={i18n._('Tax')} values={columns.map(({ tax }) => formatMoney(tax))} />
        ) : (
          rates.map(({ ratePpm, netSales, tax }) => (
            <Line
              key={ratePpm}
              label={i18n._('Tax {rate} on {net}', { rate: rateText(ratePpm), net: formatMoney(netSales) })}
              values={[formatMoney(tax)]}
            />
          ))
        )}
        <Line label={i18n._('Total sales')} sum values={columns.map(({ totalSales }) => formatMoney(totalSales))} />
      </tbody>
    </table>
  );
}

interface LineProps {
  label: string;
  values: string[];
  /** Taken off what stands above. */
  less?: boolean;
  sum?: boolean;
}

function Line({ label, values, less, sum }: LineProps) {
  return (
    <tr className={sum ? classes.sum : undefined}>
      <th scope="row">
        {less && '− '}
        {label}
      </th>
      {values.map((value, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
        <td key={column} className={page.number}>
          {value}
        </td>
      ))}
    </tr>
  );
}
