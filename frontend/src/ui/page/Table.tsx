import type { ReactNode } from 'react';
import page from './Page.module.css';

interface TableProps {
  label?: string;
  /** The heads of the columns; a column without words, such as one of buttons, has an empty one. */
  heads?: readonly string[];
  /** The first column with numbers; those behind it have numbers too. */
  numbersFrom?: number;
  /** The rows. */
  children: ReactNode;
  /** The rows with the sums. */
  foot?: ReactNode;
}

/** A table of a page. */
export function Table({ label, heads, numbersFrom = heads?.length ?? 0, children, foot }: TableProps) {
  return (
    <table className={page.table} aria-label={label}>
      {heads && (
        <thead>
          <tr>
            {heads.map((head, column) =>
              head === '' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns do not move
                <td key={column} />
              ) : (
                <th key={head} scope="col" className={column >= numbersFrom ? page.number : undefined}>
                  {head}
                </th>
              ),
            )}
          </tr>
        </thead>
      )}
      <tbody>{children}</tbody>
      {foot && <tfoot>{foot}</tfoot>}
    </table>
  );
}
