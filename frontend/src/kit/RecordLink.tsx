import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { linkOf, type RecordRef } from '../bridge/records';
import { useManifest } from '../queries/useManifest';
import { useDomain } from './domain';

interface RecordLinkProps {
  /** The record that the value is of; undefined for any other value. */
  record: RecordRef | undefined;
  /** The value as a person reads it. */
  children: ReactNode;
}

/** A value; the name of a record that has a page is a link to it, where the application opens pages. */
export function RecordLink({ record, children }: RecordLinkProps) {
  const manifest = useManifest();
  const open = useDomain().useOpenLink();
  const link = record && linkOf(manifest, record);
  if (!open || !link) return children;
  return (
    <Anchor component="button" type="button" fz="inherit" ta="start" onClick={() => open(link)}>
      {children}
    </Anchor>
  );
}
