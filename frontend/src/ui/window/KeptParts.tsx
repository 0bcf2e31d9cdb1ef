import { Activity, type ReactNode, useContext, useState } from 'react';
import { type Forms, FormsAround } from './forms';

interface KeptPartsProps {
  /** The part that is shown. */
  id: string;
  children: (id: string) => ReactNode;
}

/** The parts of a page, one at a time. One that is left is removed, unless a form in it was begun: it stays, unseen. */
export function KeptParts({ id, children }: KeptPartsProps) {
  const around = useContext(FormsAround);
  const opening = () => {
    const forms: Forms = new Set();
    return { id, forms, inside: [...around, forms] };
  };
  const [now, setNow] = useState(() => ({ id, opened: [opening()] }));
  let { opened } = now;
  if (now.id !== id) {
    opened = opened.filter((one) => one.id === id || one.forms.size > 0);
    if (!opened.some((one) => one.id === id)) opened = [...opened, opening()];
    setNow({ id, opened });
  }
  return opened.map((one) => (
    <Activity key={one.id} mode={one.id === id ? 'visible' : 'hidden'}>
      <FormsAround value={one.inside}>{children(one.id)}</FormsAround>
    </Activity>
  ));
}

interface ListOrRecordProps {
  /** The record that is open; without one the list is shown. */
  id: string | undefined;
  list: ReactNode;
  record: (id: string) => ReactNode;
}

/** A list of records, or one of them. The list stays as it was left. */
export function ListOrRecord({ id, list, record }: ListOrRecordProps) {
  return (
    <>
      <Activity mode={id === undefined ? 'visible' : 'hidden'}>{list}</Activity>
      <KeptParts id={id ?? ''}>{(one) => one !== '' && record(one)}</KeptParts>
    </>
  );
}
