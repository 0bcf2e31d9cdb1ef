import { Text } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { formatMoney, formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { usePages } from '../../queries/usePages';
import row from '../../ui/list/Row.module.css';
import { useListCursor } from '../../ui/list/useListCursor';
import { VirtualListbox } from '../../ui/list/VirtualListbox';
import { Dialog } from '../../ui/page/Dialog';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { useRowHeight } from '../../ui/theme/sizes';
import classes from './HeldCarts.module.css';

type Held = Response<'cart.listHeld'>['carts'][number];

const cartsOf = (page: { carts: Held[] }) => page.carts;
const idOf = (cart: Held) => cart.id;
const options = { source: 'HeldCarts', rowsOf: cartsOf, keyOf: idOf };
const rowOf = ({ label, customer, itemCount, total, heldAt }: Held) => (
  <div className={classes.held}>
    <div>
      <div className={`${row.cell} ${row.name}`}>{label}</div>
      {customer?.name !== label && (
        <div className={`${row.cell} ${row.minor}`}>{customer?.name ?? i18n._('Walk-in')}</div>
      )}
    </div>
    <span className={`${row.cell} ${row.minor} ${row.end}`}>
      {i18n._('{count, plural, one {# item} other {# items}}', { count: itemCount })}
    </span>
    <span className={`${row.cell} ${row.minor} ${row.end}`}>{formatTime(heldAt)}</span>
    <span className={`${row.cell} ${row.figure} ${row.end}`}>{formatMoney(total)}</span>
  </div>
);

interface HeldCartsProps {
  onClose: () => void;
  /** Called when one of them is the cart at this desk again. */
  onResumed: () => void;
}

const ROW = 48;

/** The carts that wait, the longest first; Enter goes on with one. */
export function HeldCarts({ onClose, onResumed }: HeldCartsProps) {
  const pages = usePages('cart.listHeld', { limit: 50 }, options);
  const resume = useInvoke('cart.resume', { source: 'HeldCarts' });
  const carts = pages.items;
  const choose = (index: number) =>
    carts[index] && !resume.isPending && resume.mutate({ heldId: carts[index].id }, { onSuccess: onResumed });
  const cursor = useListCursor(carts, idOf, choose, 0);
  const failure = resume.error ?? pages.error;
  const height = useRowHeight(ROW);
  return (
    <Dialog onClose={onClose} title={i18n._('Held carts')} size="lg" padding="md">
      {failure && <Problem message={failure.message} hint={failure.recoveryHint} />}
      {pages.isPending && <Loading label={i18n._('Reading the held carts')} lines={3} />}
      {pages.isSuccess && carts.length === 0 && (
        <Empty title={i18n._('No cart is on hold')}>{i18n._('Hold one with F6 when a customer has to wait.')}</Empty>
      )}
      {carts.length > 0 && (
        <>
          <Text size="xs" c="dimmed" mb="xs">
            {i18n._('Choose with the arrow keys; Enter goes on with it.')}
          </Text>
          <div className={classes.list} style={{ height: carts.length * height + 2 }}>
            <VirtualListbox
              id="held"
              label={i18n._('Held carts')}
              items={carts}
              keyOf={idOf}
              rowHeight={ROW}
              cursor={cursor}
              autoFocus
              onChoose={choose}
              onShow={pages.list.show}
              renderRow={rowOf}
            />
          </div>
        </>
      )}
    </Dialog>
  );
}
