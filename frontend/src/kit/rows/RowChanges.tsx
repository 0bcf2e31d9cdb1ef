import { Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCurrency, useDomain } from '../domain';
import classes from './RowChanges.module.css';
import { currencyIn, namesInRows, type ReadableRow, type RowChange, readRow } from './rows';

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
}

/** The rows that a call changes or changed, before and after. */
export function RowChanges({ rows, facts, names }: RowChangesProps) {
  const { vocabulary } = useDomain();
  const usual = useCurrency();
  const currency = currencyIn(facts) ?? usual;
  const known = { ...namesInRows(rows), ...names };
  return (
    <ul className={classes.rows}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a call have an order and never change
        <li key={index}>
          <Row row={readRow(row, vocabulary, { currency, names: known })} />
        </li>
      ))}
    </ul>
  );
}

function Row({ row }: { row: ReadableRow }) {
  return (
    <div className={classes.row} data-op={row.op}>
      <div className={classes.title}>
        <Text span size="xs" fw={600}>
          {row.title}
        </Text>
        <span className={classes.verb}>{verbs[row.op] ?? row.op}</span>
        <Text span size="xs" c="dimmed" className={classes.key}>
          {row.key}
        </Text>
      </div>
      <dl className={classes.fields}>
        {row.fields.map(({ column, label, before, after, reference }) => (
          <div key={column} className={classes.field} data-reference={reference || undefined}>
            <dt>{label}</dt>
            <dd>
              {before !== undefined && <del className={classes.before}>{before}</del>}
              {before !== undefined && after !== undefined && <span className={classes.arrow}> → </span>}
              {after !== undefined && <ins className={classes.after}>{after}</ins>}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
