import { Text } from '@mantine/core';
import type { RecordRef } from '../../door/records';
import type { Json } from '../../door/wire';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { useCurrency, useDomain } from '../domain';
import { RecordLink } from '../RecordLink';
import classes from './RowChanges.module.css';
import { byWeight, currencyIn, namesInRows, type ReadableRow, type RowChange, readRow } from './rows';

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
  names?: Readonly<Record<string, string>>;
  /** The records in the rows: those with a page are links to it. */
  records?: readonly RecordRef[];
}

/** The rows that a call changes or changed, before and after. */
export function RowChanges({ rows, facts, names, records = [] }: RowChangesProps) {
  const { vocabulary } = useDomain();
  const usual = useCurrency();
  const currency = currencyIn(facts) ?? usual;
  const known = { ...namesInRows(rows), ...names };
  const read = rows.map((change) => ({ change, row: readRow(change, vocabulary, { currency, names: known }) }));
  return (
    <ul className={classes.rows}>
      {byWeight(read, vocabulary).map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a call have an order and never change
        <li key={index}>
          <Row {...one} records={records} />
        </li>
      ))}
    </ul>
  );
}

interface RowProps {
  row: ReadableRow;
  change: RowChange;
  records: readonly RecordRef[];
}

function Row({ row, change, records }: RowProps) {
  const [key, ...more] = Object.values(change.key ?? {});
  const link = (value: unknown, text: string) => (
    <RecordLink value={value as Json} records={records}>
      {text}
    </RecordLink>
  );
  return (
    <div className={classes.row} data-op={row.op}>
      <div className={classes.title}>
        <Text span size="xs" fw={600}>
          {row.title}
        </Text>
        <span className={classes.verb}>{own(verbs, row.op) ?? row.op}</span>
        <Text span size="xs" c="dimmed" className={classes.key}>
          {link(more.length === 0 ? key : undefined, row.key)}
        </Text>
      </div>
      <dl className={classes.fields}>
        {row.fields.map(({ column, label, before, after, reference }) => (
          <div key={column} className={classes.field} data-reference={reference || undefined}>
            <dt>{label}</dt>
            <dd>
              {before !== undefined && <del className={classes.before}>{link(own(change.before, column), before)}</del>}
              {before !== undefined && after !== undefined && <span className={classes.arrow}> → </span>}
              {after !== undefined && <ins className={classes.after}>{link(own(change.after, column), after)}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
