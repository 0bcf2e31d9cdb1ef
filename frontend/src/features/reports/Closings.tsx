import { formatMinute, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useDocument } from '../../shop/useDocument';
import { useKept } from '../../ui/window/useKept';
import { DaysReport } from './DaysReport';
import { type Days, daysAsked } from './report';

/** The closings of some days, of all desks. */
export function Closings() {
  const [days = {}, setDays] = useKept<Days>('report days');
  const written = useDocument('closing', 'Closings');
  const { data, error, refetch } = useCapability('report.closings', daysAsked(days), { source: 'Closings' });
  return (
    <DaysReport
      {...{ days, data, error, refetch, written }}
      onDays={setDays}
      label={i18n._('Closings')}
      nothing={i18n._('No day was closed in these days')}
      heads={[
        ...[i18n._('Closing'), i18n._('Closed'), i18n._('Takings'), i18n._('Expected'), i18n._('Counted')],
        i18n._('Difference'),
      ]}
      rows={
        data?.rows.map(({ desk, closingNumber, closedAt, total, expected, counted, difference }) => [
          `${desk} ${closingNumber}`,
          formatMinute(closedAt),
          ...[total, expected, counted, difference].map(formatMoney),
        ]) ?? []
      }
    />
  );
}
