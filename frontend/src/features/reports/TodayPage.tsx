import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Response } from '../../bridge/capabilities';
import { showView } from '../../kit/views/useListValues';
import { formatCount, formatDay, formatMinute, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import type { Place } from '../../shop/navigation';
import { type OrderStatus, orderStatuses, requestKinds } from '../../shop/vocabulary';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { Page, PageBody, Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { PageHead } from '../../ui/page/PageHead';
import { Table } from '../../ui/page/Table';
import { useKept } from '../../ui/window/useKept';
import classes from './Reports.module.css';
import { type Days, reasonText } from './report';
import { Takings, Till } from './Till';

type Day = Response<'report.today'>;
interface TodayPageProps {
  onGo: (place: Place) => void;
}
interface PartProps extends TodayPageProps {
  day: Day;
}

/** The day so far, its cash, and the work that waits; every part leads to its list. */
export default function TodayPage({ onGo }: TodayPageProps) {
  const { data: day, error, refetch } = useCapability('report.today', {}, { source: 'Today' });
  return (
    <Page>
      <PageHead title={i18n._('Today')}>
        {day && <Text c="dimmed">{formatDay(day.day)}</Text>}
        <Button rightSection={<kbd>F2</kbd>} aria-keyshortcuts="F2" onClick={() => onGo({ page: 'counter' })}>
          {i18n._('Open the counter')}
        </Button>
      </PageHead>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!day && !error && <Loading label={i18n._('Adding up')} />}
      {day && (
        <PageBody label={formatDay(day.day)}>
          <div className={classes.day}>
            <SoldToday day={day} onGo={onGo} />
            <Takings methods={day.methods} />
            <Till till={day.till} />
            <OrdersWaiting day={day} onGo={onGo} />
            <ReturnsToReceive day={day} onGo={onGo} />
            <RunningLow day={day} onGo={onGo} />
          </div>
        </PageBody>
      )}
    </Page>
  );
}

function SoldToday({ day: { sales }, onGo }: PartProps) {
  const [, setDays] = useKept<Days>('report days');
  const open = () => {
    setDays({ period: 'today' });
    onGo({ page: 'reports', id: 'sales' });
  };
  return (
    <Part title={i18n._('Sales so far')} actions={sales.orders > 0 && <More onClick={open} />}>
      {sales.orders === 0 ? (
        <Empty title={i18n._('Nothing was sold yet')} />
      ) : (
        <Table>
          <Row label={i18n._('Orders')} value={formatCount(sales.orders)} />
          <Row label={i18n._('Net sales')} value={formatMoney(sales.netSales)} />
          <Row label={i18n._('Total sales')} value={formatMoney(sales.totalSales)} />
        </Table>
      )}
    </Part>
  );
}

function OrdersWaiting({ day: { waiting }, onGo }: PartProps) {
  const list = (status: OrderStatus | '') => {
    showView({ list: 'order.search', values: { status } });
    onGo({ page: 'orders' });
  };
  return (
    <Part title={i18n._('Orders waiting')}>
      {waiting.every(({ orders }) => orders === 0) ? (
        <Nothing title={i18n._('No order waits')}>
          <Button variant="default" onClick={() => list('')}>
            {i18n._('All orders')}
          </Button>
        </Nothing>
      ) : (
        <Table>
          {waiting.map(({ status, orders, oldest }) => (
            <tr key={status}>
              <td>
                <LinkButton onClick={() => list(status)}>{orderStatuses[status]}</LinkButton>
              </td>
              <td className={page.number}>{formatCount(orders)}</td>
              <td>
                {oldest && (
                  <>
                    {i18n._('since {when}:', { when: formatMinute(oldest.since) })}{' '}
                    <LinkButton onClick={() => onGo({ page: 'orders', id: oldest.orderId })}>
                      {oldest.orderId}
                    </LinkButton>
                  </>
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  );
}

function ReturnsToReceive({ day: { returns, returnOrders }, onGo }: PartProps) {
  return (
    <Part title={i18n._('Returns to receive')}>
      {returns === 0 ? (
        <Nothing title={i18n._('No return waits')}>
          <Button variant="default" onClick={() => onGo({ page: 'reports', id: 'returns' })}>
            {i18n._('Returns that were received')}
          </Button>
        </Nothing>
      ) : (
        <Table
          foot={
            returns > returnOrders.length && (
              <tr>
                <td colSpan={4}>{i18n._('{count} in all', { count: formatCount(returns) })}</td>
              </tr>
            )
          }
        >
          {returnOrders.map(({ orderId, kind, reason, since }) => (
            <tr key={orderId}>
              <td>
                <LinkButton onClick={() => onGo({ page: 'orders', id: orderId })}>{orderId}</LinkButton>
              </td>
              <td>{requestKinds[kind]}</td>
              <td>{reason && reasonText(reason)}</td>
              <td className={page.number}>{formatMinute(since)}</td>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  );
}

function RunningLow({ day: { lowStock, lowStockMore }, onGo }: PartProps) {
  const open = () => onGo({ page: 'reports', id: 'stock' });
  return (
    <Part title={i18n._('Low stock')} actions={lowStock > 0 && <More onClick={open} />}>
      {lowStock === 0 ? (
        <Nothing title={i18n._('There is enough of everything')}>
          <Button variant="default" onClick={() => onGo({ page: 'catalog' })}>
            {i18n._('Open the catalog')}
          </Button>
        </Nothing>
      ) : (
        <p>
          {lowStockMore
            ? i18n._('More than {count} variants run low.', { count: lowStock })
            : i18n._('{count, plural, one {# variant runs low.} other {# variants run low.}}', { count: lowStock })}
        </p>
      )}
    </Part>
  );
}

function Row({ label, value }: { label: string; value: string }) {
  return (
    <tr>
      <td>{label}</td>
      <td className={page.number}>{value}</td>
    </tr>
  );
}

function Nothing({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.nothing}>
      <Empty title={title} />
      {children}
    </div>
  );
}

function More({ onClick }: { onClick: () => void }) {
  return <LinkButton onClick={onClick}>{i18n._('Show them')}</LinkButton>;
}

function LinkButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button type="button" className={classes.product} onClick={onClick}>
      {children}
    </button>
  );
}
