import { Text } from '@mantine/core';
import type { Names } from '../../bridge/names';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { useCurrency, useDomain } from '../domain';
import { RecordLink } from '../RecordLink';
import { useRecordInRow } from '../records';
import classes from './RowChanges.module.css';
import { byWeight, currencyIn, namesInRows, type ReadableRow, type RecordInRow, type RowChange, readRow } from './rows';

const verbs: Record<string, string> = {
  insert: i18n._('new'),
  update: i18n._('changed'),
  delete: i18n._('removed'),
  bulk: i18n._('many rows'),
};

interface RowChangesProps {
  rows: readonly RowChange[];
  /** The facts of the call, which may tell the currency. */
  facts?: object;
  names: Names;
}

/** The rows that a call changes or changed, before and after. */
export function RowChanges({ rows, facts, names }: RowChangesProps) {
  const { vocabulary } = useDomain();
  const usual = useCurrency();
  const currency = currencyIn(facts) ?? usual;
  const recordOf = useRecordInRow();
  const context = { currency, recordOf, names: new Map([...namesInRows(rows, recordOf), ...names]) };
  const read = rows.map((change) => ({ change, row: readRow(change, vocabulary, context) }));
  return (
    <ul className={classes.rows}>
      {byWeight(read, vocabulary).map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a call have an order and never change
        <li key={index}>
          <Row {...one} recordOf={recordOf} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  row: ReadableRow;
  change: RowChange;
  recordOf: RecordInRow;
}

function Row({ row, change, recordOf }: RowProps) {
  const [[column, key] = [''], ...more] = Object.entries(change.key ?? {});
  const link = (column: string, value: unknown, text: string) => (
    <RecordLink record={recordOf(change.table, column, value)}>{text}</RecordLink>
  );
  return (
    <div className={classes.row} data-op={row.op}>
      <div className={classes.title}>
        <Text span size="xs" fw={600}>
          {row.title}
        </Text>
        <span className={classes.verb}>{own(verbs, row.op) ?? row.op}</span>
        <Text span size="xs" c="dimmed" className={classes.key}>
          {more.length === 0 ? link(column, key, row.key) : row.key}
        </Text>
      </div>
      <dl className={classes.fields}>
        {row.fields.map(({ column, label, before, after, reference }) => (
          <div key={column} className={classes.field} data-reference={reference || undefined}>
            <dt>{label}</dt>
            <dd>
              {before !== undefined && (
                <del className={classes.before}>{link(column, own(change.before, column), before)}</del>
              )}
              {before !== undefined && after !== undefined && <span className={classes.arrow}> → </span>}
              {after !== undefined && (
                <ins className={classes.after}>{link(column, own(change.after, column), after)}</ins>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
