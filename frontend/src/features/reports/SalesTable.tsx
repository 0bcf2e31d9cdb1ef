import type { Response } from '../../door/capabilities';
import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import page from '../../ui/page/Page.module.css';
import { stepLabel } from './report';

type Report = Response<'report.sales'>;
type Row = Report['rows'][number];

const amounts = ['grossSales', 'discounts', 'returns', 'netSales', 'shipping', 'tax', 'totalSales'] as const;
const heads = [
  i18n._('Orders'),
  i18n._('Gross sales'),
  i18n._('Discounts'),
  i18n._('Returns'),
  i18n._('Net sales'),
  i18n._('Shipping'),
  i18n._('Tax'),
  i18n._('Total sales'),
];

/** The same in figures, newest first, with the sums below. */
export function SalesTable({ report: { rows, totals, by } }: { report: Report }) {
  return (
    <table className={page.table}>
      <thead>
        <tr>
          <th scope="col">{by === 'week' ? i18n._('Week of') : by === 'month' ? i18n._('Month') : i18n._('Day')}</th>
          {heads.map((head) => (
            <th key={head} scope="col" className={page.number}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.toReversed().map((row) => (
          <tr key={row.period}>
            <td className={page.when}>{stepLabel(row, by)}</td>
            <Figures row={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>{i18n._('All of it')}</td>
          <Figures row={totals} />
        </tr>
      </tfoot>
    </table>
  );
}

function Figures({ row }: { row: Pick<Row, 'orders' | (typeof amounts)[number]> }) {
  return (
    <>
      <td className={page.number}>{formatCount(row.orders)}</td>
      {amounts.map((name) => (
        <td key={name} className={page.number}>
          {formatMoney(row[name])}
        </td>
      ))}
    </>
  );
}
