import type { Response } from '../../bridge/capabilities';
import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useDocument } from '../../shop/useDocument';
import { useKept } from '../../ui/window/useKept';
import { DaysReport } from './DaysReport';
import { type Days, daysAsked, rateText, reasonText } from './report';

type Sums = Response<'report.returns'>['totals'];

const cells = ({ returns, pieces, value, tax }: Sums): string[] => [
  ...[formatCount(returns), formatCount(pieces), formatMoney(value), formatMoney(tax)],
];

/** What came back, by the reason that was given. */
export function Returns() {
  const [days = {}, setDays] = useKept<Days>('report days');
  const written = useDocument('returns', 'Returns');
  const { data, error, refetch } = useCapability('report.returns', daysAsked(days), { source: 'Returns' });
  return (
    <DaysReport
      {...{ days, data, error, refetch, written }}
      onDays={setDays}
      label={i18n._('Returns')}
      nothing={i18n._('Nothing came back in these days')}
      heads={[i18n._('Reason'), i18n._('Returns'), i18n._('Pieces'), i18n._('Value'), i18n._('Tax'), i18n._('Share')]}
      rows={data?.rows.map((row) => [reasonText(row.reason), ...cells(row), rateText(1000 * row.share)]) ?? []}
      sums={data ? [...cells(data.totals), rateText(1_000_000)] : []}
    />
  );
}
