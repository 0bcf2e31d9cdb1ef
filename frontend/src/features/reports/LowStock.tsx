import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Response } from '../../bridge/capabilities';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { usePages } from '../../queries/usePages';
import { NumberField } from '../../ui/form/NumberField';
import { cell } from '../../ui/list/cells';
import { useListCursor } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { useKept } from '../../ui/window/useKept';
import { Measure } from './Measure';
import classes from './Reports.module.css';

const variantOf = ({ variantId }: { variantId: string }) => variantId;
const rowsOf = (page: Response<'report.lowStock'>) => page.rows;

/** The variants low in stock, fewest first, read page by page. */
export function LowStock({ onOpenProduct }: { onOpenProduct: (productId: string) => void }) {
  // Null: the text cannot be read, and no other number takes its place.
  const [typed, setTyped] = useKept<number | null>('report threshold');
  const [settled] = useDebouncedValue(typed, 250);
  const readable = typed !== null && settled !== null;
  const pages = usePages(
    'report.lowStock',
    { threshold: settled ?? undefined, limit: 100 },
    { source: 'LowStock', enabled: readable, rowsOf, keyOf: variantOf },
  );
  const rows = readable ? pages.items : [];
  const choose = (index: number) => rows[index] && onOpenProduct(rows[index].productId);
  const cursor = useListCursor(rows, variantOf, choose);
  return (
    <>
      <div className={classes.bar}>
        <NumberField
          label={i18n._('So many pieces or fewer')}
          w={190}
          min={0}
          placeholder={i18n._('reorder level')}
          value={typed ?? undefined}
          onChange={(next, text) => setTyped(next ?? (text.trim() === '' ? undefined : null))}
        />
      </div>
      {pages.error && <Problem message={pages.error.message} hint={pages.error.recoveryHint} onRetry={pages.refetch} />}
      {readable && pages.isPending && !pages.error && <Loading label={i18n._('Counting')} />}
      {readable && pages.isSuccess && rows.length === 0 && (
        <Empty title={i18n._('There is enough of everything')}>
          {i18n._('Nothing that is counted has so few pieces left.')}
        </Empty>
      )}
      {rows.length > 0 && (
        <div className={classes.list}>
          <VirtualListbox
            id="low-stock"
            label={i18n._('Low stock')}
            heads={[i18n._('Product'), i18n._('SKU'), i18n._('In stock')]}
            items={rows}
            keyOf={variantOf}
            rowHeight={36}
            cursor={cursor}
            onChoose={choose}
            onShow={pages.list.show}
            renderRow={(row) => (
              <div className={classes.low}>
                <Text {...cell} truncate>
                  {row.name}{' '}
                  <Text span size="xs" c="dimmed">
                    {row.label}
                  </Text>
                </Text>
                <Text {...cell} size="xs" c="dimmed" truncate>
                  {row.sku}
                </Text>
                <Measure value={row.stock} most={row.level} low />
                <Text {...cell} ta="right">
                  {row.left}{' '}
                  <Text span size="xs" c="dimmed">
                    {i18n._('reorder at {level}', { level: formatCount(row.level) })}
                  </Text>
                </Text>
              </div>
            )}
          />
        </div>
      )}
    </>
  );
}
