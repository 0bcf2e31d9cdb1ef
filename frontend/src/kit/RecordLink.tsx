import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { useManifest } from '../asking/useManifest';
import { linkOf, type RecordRef } from '../door/records';
import type { Json } from '../door/wire';
import { useDomain } from './domain';

interface RecordLinkProps {
  /** The value that is shown. */
  value: Json | undefined;
  /** The records among the values. */
  records: readonly RecordRef[];
  /** The value as a person reads it. */
  children: ReactNode;
}

/** A value; the name of a record that has a page is a link to it, where the application opens pages. */
export function RecordLink({ value, records, children }: RecordLinkProps) {
  const manifest = useManifest();
  const open = useDomain().useOpenLink();
  const record = typeof value === 'string' ? records.find(({ id }) => id === value) : undefined;
  const link = record && linkOf(manifest, record);
  if (!open || !link) return children;
  return (
    <Anchor component="button" type="button" fz="inherit" ta="start" onClick={() => open(link)}>
      {children}
    </Anchor>
  );
}
