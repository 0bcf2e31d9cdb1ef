import { Button } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { i18n } from '../../language/i18n';
import { IconAction } from './IconAction';
import type { Row } from './useRows';

interface EditableRowsProps<T> {
  /** The accessible name of the rows. */
  label: string;
  /** The grid of the rows. */
  className?: string;
  rows: readonly Row<T>[];
  /** The fields of a row. */
  children: (row: Row<T>, index: number) => ReactNode;
  /** The label of the button that removes a row. */
  omitText: (row: Row<T>, index: number) => string;
  /** Why no row can be removed now. */
  omitRefused?: string;
  onOmit: (row: number) => void;
  /** The button below that adds a row; absent while none can be added. */
  adding?: { text: string; onAdd: () => void; space?: 'xs' | 'sm' };
}

/** Rows of fields that are edited as a whole: each can be left out, and more can be added. */
export function EditableRows<T>(props: EditableRowsProps<T>) {
  const { label, className, rows, children, omitText, omitRefused, onOmit, adding } = props;
  return (
    <>
      <ul className={className} aria-label={label}>
        {rows.map((row, index) => (
          <li key={row.row}>
            {children(row, index)}
            <IconAction label={omitText(row, index)} disabledReason={omitRefused} onClick={() => onOmit(row.row)}>
              <IconX size={15} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      {adding && (
        <Button variant="default" mt={adding.space ?? 'sm'} onClick={adding.onAdd}>
          {adding.text}
        </Button>
      )}
    </>
  );
}

/** The label of the button that removes a row, with the row's name if it has one. */
export function omitText(name: string): string {
  return name ? i18n._('Leave {name} out', { name }) : i18n._('Leave this out');
}
