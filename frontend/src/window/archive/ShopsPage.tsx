import { Anchor, Button, Code, Table, Text } from '@mantine/core';
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react';
import type { Response } from '../../bridge/capabilities';
import { formatCount, formatMoment } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useTask } from '../../queries/useTask';
import { Empty, Problem } from '../../ui/page/Note';
import { PageHead } from '../../ui/page/PageHead';
import { TaskStrip } from '../../ui/page/TaskStrip';
import classes from './Archive.module.css';

const source = 'ShopsPage';

/** One part of the log of one shop, as the archive lists it. */
export type Kept = Response<'archive.list'>['logs'][number];

type Checked = Response<'archive.verify'>['logs'][number];

interface ShopsPageProps {
  logs: readonly Kept[];
  open: (log: Kept) => void;
  onAgain: () => void;
}

/** What there is of each shop, whether its log is whole, and what was refused. */
export function ShopsPage({ logs, open, onAgain }: ShopsPageProps) {
  const { data: checked, ...verifying } = useTask('archive.verify', source);
  const alarms = useCapability('archive.alarms', {}, { source });
  const again = () => {
    onAgain();
    void alarms.refetch();
  };
  const verdictOf = ({ shop, epoch }: Kept) => checked?.logs.find((one) => one.shop === shop && one.epoch === epoch);
  const inParts = logs.some(({ last }) => !last);
  const changed = checked?.logs.filter(({ whole }) => !whole).length ?? 0;

  return (
    <div className={classes.page}>
      <PageHead title={i18n._('All shops')}>
        <Button variant="default" onClick={again}>
          {i18n._('Read again')}
        </Button>
        <Button
          variant="default"
          disabled={verifying.running || logs.length === 0}
          onClick={() => verifying.start({}, onAgain)}
        >
          {i18n._('Verify all')}
        </Button>
      </PageHead>
      <TaskStrip
        {...verifying}
        doing={i18n._('Checking every record')}
        whenStopped={i18n._('Stopped: not every record was checked.')}
      >
        {checked && (
          <Text size="sm">
            {changed > 0
              ? i18n._('{count, plural, one {# log was} other {# logs were}} changed.', { count: changed })
              : i18n._('All logs are as they were written.')}
          </Text>
        )}
      </TaskStrip>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={classes.scroll} tabIndex={0} aria-label={i18n._('Shops')}>
        {logs.length === 0 && (
          <Empty title={i18n._('There is no shop in this archive yet')}>
            {i18n._('The log of a shop is here once it was published.')}
          </Empty>
        )}
        {logs.length > 0 && (
          <Table stickyHeader className={classes.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{i18n._('Shop')}</Table.Th>
                {inParts && <Table.Th>{i18n._('Part')}</Table.Th>}
                <Table.Th className={classes.number}>{i18n._('Records')}</Table.Th>
                <Table.Th>{i18n._('Last record')}</Table.Th>
                <Table.Th>{i18n._('Head')}</Table.Th>
                <Table.Th className={classes.number}>{i18n._('Refused')}</Table.Th>
                <Table.Th>{i18n._('State')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {logs.map((log) => (
                <Table.Tr key={`${log.shop} ${log.epoch}`}>
                  <Table.Td>
                    {log.unreadable === undefined ? (
                      <Anchor component="button" type="button" size="sm" onClick={() => open(log)}>
                        {log.shop}
                      </Anchor>
                    ) : (
                      log.shop
                    )}
                  </Table.Td>
                  {inParts && <Table.Td>{log.last ? i18n._('goes on') : formatCount(log.epoch)}</Table.Td>}
                  <Table.Td className={classes.number}>{formatCount(log.records)}</Table.Td>
                  <Table.Td>{log.time === undefined ? '–' : formatMoment(log.time)}</Table.Td>
                  <Table.Td>{log.head && <Code title={log.head}>{log.head.slice(0, 12)}</Code>}</Table.Td>
                  <Table.Td className={classes.number}>{log.alarms > 0 ? formatCount(log.alarms) : '–'}</Table.Td>
                  <Table.Td>
                    <Verdict log={log} checked={verdictOf(log)} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        )}
        <Refused {...alarms} />
      </section>
    </div>
  );
}

function Verdict({ log, checked }: { log: Kept; checked: Checked | undefined }) {
  const problem = log.unreadable ?? checked?.problem;
  if (!checked && problem === undefined) return i18n._('not checked');
  return (
    <span className={classes.verdict}>
      {problem === undefined ? (
        <IconCircleCheck size={16} aria-hidden className={classes.good} />
      ) : (
        <IconAlertTriangle size={16} aria-hidden className={classes.bad} />
      )}
      {problem ?? i18n._('whole')}
    </span>
  );
}

interface RefusedProps {
  data: Response<'archive.alarms'> | undefined;
  error: { message: string; recoveryHint?: string } | null;
}

/** The records that the archive refused. */
function Refused({ data, error }: RefusedProps) {
  return (
    <>
      <h2 className={classes.title}>{i18n._('What was refused')}</h2>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      {data?.alarms.length === 0 && (
        <Text size="sm" c="dimmed">
          {i18n._('Every record that came continued what the archive has.')}
        </Text>
      )}
      {data && data.alarms.length > 0 && (
        <Table className={classes.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{i18n._('When')}</Table.Th>
              <Table.Th>{i18n._('Shop')}</Table.Th>
              <Table.Th className={classes.number}>{i18n._('Record')}</Table.Th>
              <Table.Th>{i18n._('Why')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {data.alarms.map((one) => (
              <Table.Tr key={`${one.source} ${one.time} ${one.stream_seq} ${one.kind}`}>
                <Table.Td>{formatMoment(one.time)}</Table.Td>
                <Table.Td>{one.source}</Table.Td>
                <Table.Td className={classes.number}>{one.seq === undefined ? '–' : formatCount(one.seq)}</Table.Td>
                <Table.Td>
                  {one.problem}
                  {one.hash && (
                    <Text size="xs" c="dimmed">
                      {i18n._('It came as {hash}; the archive has {count, plural, one {# record} other {# records}}.', {
                        hash: one.hash.slice(0, 12),
                        count: one.head,
                      })}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
      {data?.more !== undefined && (
        <Text size="xs" c="dimmed">
          {i18n._('{count, number} older ones are in alarms.jsonl.', { count: data.more })}
        </Text>
      )}
    </>
  );
}
