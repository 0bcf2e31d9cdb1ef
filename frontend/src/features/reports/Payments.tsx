import type { Response } from '../../bridge/capabilities';
import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useDocument } from '../../shop/useDocument';
import { useKept } from '../../ui/window/useKept';
import { besideHeads, besideTexts } from './ComparisonCells';
import { DaysReport } from './DaysReport';
import { type Compare, type Days, daysAsked, methodText } from './report';

type Paid = Response<'report.payments'>['totals'];

const cells = ({ payments, paid, refunds, refunded, net }: Paid): string[] => [
  ...[formatCount(payments), formatMoney(paid), formatCount(refunds), formatMoney(refunded), formatMoney(net)],
];

/** What was paid and refunded by each kind of method. */
export function Payments() {
  const [days = {}, setDays] = useKept<Days>('report days');
  const [compare, setCompare] = useKept<Compare>('report compared');
  const written = useDocument('payments', 'Payments');
  const { data, error, refetch } = useCapability(
    'report.payments',
    { ...daysAsked(days), compare },
    { source: 'Payments' },
  );
  return (
    <DaysReport
      {...{ days, data, error, refetch, written }}
      onDays={setDays}
      compare={compare}
      onCompare={setCompare}
      label={i18n._('Payments')}
      nothing={i18n._('Nothing was paid in these days')}
      heads={[
        ...[i18n._('Method'), i18n._('Payments'), i18n._('Paid'), i18n._('Refunds'), i18n._('Refunded')],
        i18n._('Net payments'),
        ...(compare ? besideHeads() : []),
      ]}
      rows={
        data?.rows.map((row) => [methodText(row.method), ...cells(row), ...(compare ? besideTexts(row) : [])]) ?? []
      }
      sums={data ? cells(data.totals) : []}
    />
  );
}
