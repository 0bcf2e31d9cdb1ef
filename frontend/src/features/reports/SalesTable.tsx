import type { Response } from '../../bridge/capabilities';
import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { besideHeads, ComparisonCells } from './ComparisonCells';
import { groups, isByTime, rowLabel } from './report';

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

/** The same in figures, newest first or by what else the rows are, with the sums below. */
export function SalesTable({ report: { rows, totals, by, before } }: { report: Report }) {
  return (
    <Table
      heads={[groups.find(({ value }) => value === by)?.head ?? '', ...heads, ...(before ? besideHeads() : [])]}
      numbersFrom={1}
      foot={
        <tr>
          <td>{i18n._('All of it')}</td>
          <Figures row={totals} counted />
          {before && (
            <ComparisonCells row={{ before: before.totals.totalSales, difference: before.difference.totalSales }} />
          )}
        </tr>
      }
    >
      {(isByTime(by) ? rows.toReversed() : rows).map((row) => (
        <tr key={row.value ?? row.period}>
          <td className={page.when}>{rowLabel(row, by)}</td>
          <Figures row={row} counted={by !== 'taxRate'} />
          {before && <ComparisonCells row={row} />}
        </tr>
      ))}
    </Table>
  );
}

function Figures({ row, counted }: { row: Pick<Row, 'orders' | (typeof amounts)[number]>; counted: boolean }) {
  return (
    <>
      <td className={page.number}>{counted && formatCount(row.orders)}</td>
      {amounts.map((name) => (
        <td key={name} className={page.number}>
          {formatMoney(row[name])}
        </td>
      ))}
    </>
  );
}
