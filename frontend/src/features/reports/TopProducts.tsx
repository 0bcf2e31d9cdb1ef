import { formatCount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useDocument } from '../../shop/useDocument';
import text from '../../ui/list/Row.module.css';
import { ExportMenu, ExportStatus } from '../../ui/page/FileExport';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { PageBody } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { useKept } from '../../ui/window/useKept';
import { besideHeads, ComparisonCells } from './ComparisonCells';
import { Measure } from './Measure';
import { RangeBar } from './RangeBar';
import classes from './Reports.module.css';
import { type Compare, type Days, daysAsked } from './report';

interface TopProductsProps {
  onOpenProduct: (productId: string) => void;
}

/** The best sellers of some days: pieces, a bar for each, and revenue. */
export function TopProducts({ onOpenProduct }: TopProductsProps) {
  const [days = {}, setDays] = useKept<Days>('report days');
  const [compare, setCompare] = useKept<Compare>('report compared');
  const written = useDocument('bestSellers', 'TopProducts');
  return (
    <>
      <RangeBar {...{ days, compare }} onDays={setDays} onCompare={setCompare}>
        <ExportMenu
          formats={written.formats}
          busy={written.task.running}
          onStart={(format) => written.write(format, { ...daysAsked(days), compare })}
        />
      </RangeBar>
      <ExportStatus {...written.task} nouns={[i18n._('row'), i18n._('rows')]} />
      <BestSellers {...{ days, compare, onOpenProduct }} />
    </>
  );
}

/** The answer by itself: when it comes, the fields above it are not drawn again. */
function BestSellers({ days, compare, onOpenProduct }: TopProductsProps & { days: Days; compare?: Compare }) {
  const asked = { ...daysAsked(days), limit: 50, compare };
  const { data, error, refetch } = useCapability('report.topProducts', asked, { source: 'TopProducts' });
  const most = Math.max(0, ...(data?.rows.map(({ quantity }) => quantity) ?? []));
  return (
    <>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Adding up')} />}
      {data?.rows.length === 0 && (
        <Empty title={i18n._('Nothing was sold in these days')}>{i18n._('Choose other days above.')}</Empty>
      )}
      {data && data.rows.length > 0 && (
        <PageBody label={i18n._('Top products')}>
          <div className={page.part}>
            <Table
              heads={[i18n._('Product'), '', i18n._('Pieces'), i18n._('Revenue'), ...(compare ? besideHeads() : [])]}
              numbersFrom={2}
            >
              {data.rows.map((row) => (
                <tr key={row.variantId}>
                  <td>
                    <button type="button" className={classes.product} onClick={() => onOpenProduct(row.productId)}>
                      {row.name}
                    </button>{' '}
                    <span className={text.minor}>{row.label}</span>
                  </td>
                  <td className={classes.barColumn}>
                    <Measure value={row.quantity} most={most} />
                  </td>
                  <td className={page.number}>{formatCount(row.quantity)}</td>
                  <td className={page.number}>{formatMoney(row.revenue)}</td>
                  {compare && <ComparisonCells row={row} />}
                </tr>
              ))}
            </Table>
          </div>
        </PageBody>
      )}
    </>
  );
}
