import type { Response } from '../../bus/client';
import { formatMoney } from '../../ui/format';
import page from '../../ui/Page.module.css';
import { stepLabel } from './report';

type Report = Response<'report.sales'>;
type Row = Report['rows'][number];

const amounts = ['gross', 'discount', 'tax', 'shipping', 'refunds', 'net'] as const;
const heads = ['Orders', 'Gross', 'Discount', 'Tax', 'Shipping', 'Refunds', 'Net'];

/** The same in figures, newest first, with the sums below. */
export function SalesTable({ report: { rows, totals, by } }: { report: Report }) {
  return (
    <table className={page.table}>
      <thead>
        <tr>
          <th scope="col">{by === 'week' ? 'Week of' : by === 'month' ? 'Month' : 'Day'}</th>
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
            <td>{stepLabel(row, by)}</td>
            <Figures row={row} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td>All of it</td>
          <Figures row={totals} />
        </tr>
      </tfoot>
    </table>
  );
}

function Figures({ row }: { row: Pick<Row, 'orders' | (typeof amounts)[number]> }) {
  return (
    <>
      <td className={page.number}>{row.orders.toLocaleString()}</td>
      {amounts.map((name) => (
        <td key={name} className={page.number}>
          {formatMoney(row[name])}
        </td>
      ))}
    </>
  );
}
