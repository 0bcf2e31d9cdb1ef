import type { Request } from '../../bridge/capabilities';
import { formatDays } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useDocument } from '../../shop/useDocument';
import { ExportMenu, ExportStatus } from '../../ui/page/FileExport';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { PageBody, Part } from '../../ui/page/Page';
import { useKept } from '../../ui/window/useKept';
import { RangeBar } from './RangeBar';
import classes from './Reports.module.css';
import { type By, barsOf, type Compare, type Days, daysAsked, isByTime, takingsText } from './report';
import { SalesChart } from './SalesChart';
import { SalesStatement } from './SalesStatement';
import { SalesTable } from './SalesTable';

type Asked = Request<'report.sales'>;

const useSales = (asked: Asked) => useCapability('report.sales', asked, { source: 'Sales' });

/** The sales: sums, a bar for each step, and a table. */
export function Sales() {
  const [days = {}, setDays] = useKept<Days>('report days');
  const [by = 'day', setBy] = useKept<By>('report steps');
  const [compare, setCompare] = useKept<Compare>('report compared');
  const asked = { ...daysAsked(days), by, compare };
  const written = useDocument('sales', 'Sales');
  return (
    <>
      <RangeBar {...{ days, by, compare }} onDays={setDays} onBy={setBy} onCompare={setCompare}>
        <SalesExport asked={asked} written={written} />
      </RangeBar>
      <ExportStatus {...written.task} nouns={[i18n._('row'), i18n._('rows')]} />
      <SalesOf asked={asked} />
    </>
  );
}

interface SalesExportProps {
  asked: Asked;
  written: ReturnType<typeof useDocument>;
}

/** The days that are shown, as a file. */
function SalesExport({ asked, written: { formats, task, write } }: SalesExportProps) {
  const { data } = useSales(asked);
  if (!data) return null;
  return (
    <ExportMenu
      formats={formats}
      busy={task.running}
      onStart={(format) => write(format, { from: data.from, to: data.to, by: data.by, compare: asked.compare })}
    />
  );
}

/** The answer by itself: when it comes, the fields above it are not drawn again. */
function SalesOf({ asked }: { asked: Asked }) {
  const { data, error, refetch } = useSales(asked);
  const nothing = data?.totals.orders === 0 && data.totals.returns.amount === 0;
  return (
    <>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Adding up')} />}
      {data && (
        <PageBody label={i18n._('Sales')}>
          <Part title={formatDays(data.from, data.to)}>
            <div className={classes.whole}>
              <div className={classes.report} data-wide={!!data.before || undefined}>
                <SalesStatement report={data} />
                {!nothing && isByTime(data.by) && (
                  <SalesChart
                    bars={barsOf(data.rows, data.by)}
                    currency={data.totals.totalSales.currency}
                    title={takingsText(data, data.totals)}
                  />
                )}
              </div>
            </div>
            {nothing && (
              <Empty title={i18n._('Nothing was sold in these days')}>{i18n._('Choose other days above.')}</Empty>
            )}
          </Part>
          {!nothing && (
            <Part title={i18n._('In figures')}>
              <SalesTable report={data} />
            </Part>
          )}
        </PageBody>
      )}
    </>
  );
}
