import { Code, Switch, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatCount, formatMinute, formatSize } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useRefusal } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { Badge } from '../../../ui/page/Badge';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { Reading } from '../../../ui/page/Reading';
import { Table } from '../../../ui/page/Table';

type Backup = Response<'shop.listBackups'>['copies'][number];

interface BackupsProps {
  /** Why none can be written or put back now. */
  disabledReason?: string;
  onRestore: (name: string) => void;
}

/** Whether a copy is written each day, where the copies are, and what would be lost if one were put back. */
export function Backups({ disabledReason, onRestore }: BackupsProps) {
  const read = useCapability('shop.listBackups', {}, { source: 'Backups' });
  const set = useInvoke('shop.setDailyBackup', { source: 'Backups' });
  const mayNot = useRefusal('shop.setDailyBackup');
  const { data } = read;
  return (
    <Part title={i18n._('Daily copies')}>
      <Switch
        size="xs"
        mb="sm"
        label={i18n._('Write a copy each day')}
        description={
          mayNot ?? i18n._('While the window is open, or when it is opened next; the newest seven are kept.')
        }
        checked={data?.daily ?? false}
        disabled={!data || mayNot !== undefined}
        onChange={(event) => set.mutate({ daily: event.currentTarget.checked })}
      />
      {set.error && <Problem message={set.error.message} hint={set.error.recoveryHint} />}
      {!data && <Reading label={i18n._('Looking for copies')} of={read} />}
      {data && (
        <Text mb="sm" style={{ overflowWrap: 'anywhere' }}>
          {data.copies.length === 0 ? i18n._('There is no copy yet. They will be in') : i18n._('The copies are in')}{' '}
          <Code>{data.folder}</Code>
        </Text>
      )}
      {data && data.copies.length > 0 && (
        <Table
          label={i18n._('Copies')}
          heads={[i18n._('Written'), i18n._('Lost if it is put back'), i18n._('Records'), i18n._('Size'), '']}
          numbersFrom={2}
        >
          {data.copies.map((copy) => (
            <tr key={copy.name}>
              <td>
                {formatMinute(copy.written)} <Kind of={copy} />
              </td>
              <td>{lostText(copy)}</td>
              <td className={page.number}>{formatCount(copy.records)}</td>
              <td className={page.number}>{formatSize(copy.bytes)}</td>
              <td className={page.number}>
                <ActionButton variant="default" disabledReason={disabledReason} onClick={() => onRestore(copy.name)}>
                  {i18n._('Put back…')}
                </ActionButton>
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Part>
  );
}

function Kind({ of: { daily, replaced } }: { of: Backup }) {
  if (!daily && !replaced) return null;
  return <Badge color="gray">{replaced ? i18n._('replaced by a restore') : i18n._('daily')}</Badge>;
}

function lostText({ lostOrders: orders, lostCustomers: customers }: Backup): string {
  if (orders === 0 && customers === 0) return i18n._('No order and no customer');
  return i18n._(
    '{orders, plural, one {# order} other {# orders}} and {customers, plural, one {# new customer} other {# new customers}}',
    { orders, customers },
  );
}
