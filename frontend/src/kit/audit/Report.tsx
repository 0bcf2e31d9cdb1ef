import { Table, Text } from '@mantine/core';
import { formatCount, formatDuration } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useEntry, useManifest } from '../../queries/useManifest';
import { Segments } from '../../ui/form/Segments';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { useKept } from '../../ui/window/useKept';
import classes from './Report.module.css';
import { callerText } from './record';
import { type Days, firstDay, reportLines } from './reportLines';
import { TrustPanel } from './TrustPanel';

const ranges: { value: string; label: string; days: Days }[] = [
  { value: '7', label: i18n._('Last 7 days'), days: 7 },
  { value: '30', label: i18n._('Last 30 days'), days: 30 },
  { value: '0', label: i18n._('All'), days: 0 },
];

/** Calls by capability with their outcomes, and how people answered the assistant. */
export function Report() {
  const [range = '7', setRange] = useKept<string>('audit report');
  const days = ranges.find(({ value }) => value === range)?.days ?? 0;
  const from = firstDay(days, Date.now());
  const { data, error, refetch } = useCapability('audit.stats', { from }, { source: 'AuditReport' });
  const counted = useEntry('assistant.usage') !== undefined;
  const usage = useCapability('assistant.usage', { from }, { source: 'AuditReport', enabled: counted });
  const capabilities = useManifest()?.capabilities;
  const titleOf = (name: string) => capabilities?.find((c) => c.name === name)?.title ?? name;

  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className={classes.report} tabIndex={0} aria-label={i18n._('Report')}>
      <Segments label={i18n._('Days')} choices={ranges} value={range} onChange={setRange} />
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Counting')} />}
      {data && (
        <>
          <TrustPanel trust={data.trust} usage={usage.data} titleOf={titleOf} />
          <h2 className={classes.title}>{i18n._('Actions')}</h2>
          {data.capabilities.length === 0 && <Empty title={i18n._('Nothing was done in these days')} />}
          {data.capabilities.length > 0 && (
            <Table stickyHeader highlightOnHover className={classes.table}>
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>{i18n._('Action')}</Table.Th>
                  <Table.Th>{i18n._('Caller')}</Table.Th>
                  <Table.Th>{i18n._('Calls')}</Table.Th>
                  <Table.Th>{i18n._('Failed')}</Table.Th>
                  <Table.Th>{i18n._('Half within')}</Table.Th>
                  <Table.Th>{i18n._('95 % within')}</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {reportLines(data).map((line) => (
                  <Table.Tr key={`${line.capability} ${line.caller}`}>
                    <Table.Td>{titleOf(line.capability)}</Table.Td>
                    <Table.Td>{callerText(line.caller)}</Table.Td>
                    <Table.Td>{formatCount(line.calls)}</Table.Td>
                    <Table.Td>{line.failed > 0 ? formatCount(line.failed) : '–'}</Table.Td>
                    <Table.Td>{formatDuration(line.p50Ms)}</Table.Td>
                    <Table.Td>{formatDuration(line.p95Ms)}</Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          )}
          <Text size="xs" c="dimmed">
            {i18n._('Days are those of the log. What was only tried out, and answers given again, are not counted.')}
          </Text>
        </>
      )}
    </section>
  );
}
