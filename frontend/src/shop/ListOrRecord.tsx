import { Activity, type ReactNode, useState } from 'react';
import { type Forms, FormsOfPage } from '../ui/window/forms';

interface ListOrRecordProps {
  /** The record that is open; without one the list is shown. */
  id: string | undefined;
  list: ReactNode;
  record: (id: string) => ReactNode;
}

interface Opened {
  id: string;
  forms: Forms;
}

/** A list of records, or one of them. The list stays as it was left, and so does a record with a form that was begun. */
export function ListOrRecord({ id, list, record }: ListOrRecordProps) {
  const [shown, setShown] = useState<{ id?: string; opened: readonly Opened[] }>({ opened: [] });
  let { opened } = shown;
  if (shown.id !== id) {
    opened = opened.filter((one) => one.id === id || one.forms.size > 0);
    if (id !== undefined && !opened.some((one) => one.id === id)) opened = [...opened, { id, forms: new Set() }];
    setShown({ id, opened });
  }
  return (
    <>
      <Activity mode={id === undefined ? 'visible' : 'hidden'}>{list}</Activity>
      {opened.map((one) => (
        <Activity key={one.id} mode={one.id === id ? 'visible' : 'hidden'}>
          <FormsOfPage value={one.forms}>{record(one.id)}</FormsOfPage>
        </Activity>
      ))}
    </>
  );
}
