import { formatDays } from '../../language/format';
import { i18n } from '../../language/i18n';
import type { useDocument } from '../../shop/useDocument';
import { ExportMenu, ExportStatus } from '../../ui/page/FileExport';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { PageBody, Part } from '../../ui/page/Page';
import page from '../../ui/page/Page.module.css';
import { Table } from '../../ui/page/Table';
import { RangeBar } from './RangeBar';
import type { Compare, Days } from './report';

interface DaysReportProps {
  label: string;
  days: Days;
  onDays: (days: Days) => void;
  compare?: Compare;
  onCompare?: (compare: Compare | undefined) => void;
  data?: { from: string; to: string };
  error?: { message: string; recoveryHint?: string } | null;
  refetch: () => void;
  written: ReturnType<typeof useDocument>;
  /** The title of the empty state. */
  nothing: string;
  /** The heads of the columns; the first one names the row, the others are figures. */
  heads: string[];
  rows: string[][];
  /** Their sums; absent: none. */
  sums?: string[];
}

/** A report of some days as one table, with its sums, and as a file. */
export function DaysReport(props: DaysReportProps) {
  const { label, days, onDays, compare, onCompare, data, error, refetch, written, nothing, heads, rows, sums } = props;
  return (
    <>
      <RangeBar {...{ days, onDays, compare, onCompare }}>
        {data && (
          <ExportMenu
            formats={written.formats}
            busy={written.task.running}
            onStart={(format) => written.write(format, { from: data.from, to: data.to, compare })}
          />
        )}
      </RangeBar>
      <ExportStatus {...written.task} nouns={[i18n._('row'), i18n._('rows')]} />
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Adding up')} />}
      {data && (
        <PageBody label={label}>
          <Part title={formatDays(data.from, data.to)}>
            {rows.length === 0 ? (
              <Empty title={nothing}>{i18n._('Choose other days above.')}</Empty>
            ) : (
              <Table heads={heads} numbersFrom={1} foot={sums && <Line cells={[i18n._('All of it'), ...sums]} />}>
                {rows.map((cells) => (
                  <Line key={cells[0]} cells={cells} />
                ))}
              </Table>
            )}
          </Part>
        </PageBody>
      )}
    </>
  );
}

function Line({ cells }: { cells: string[] }) {
  return (
    <tr>
      {cells.map((cell, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
        <td key={column} className={column > 0 ? page.number : undefined}>
          {cell}
        </td>
      ))}
    </tr>
  );
}
