import { Button, Code, Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { TaskStrip } from './TaskStrip';

/** The file formats, for people. */
export const fileWords = {
  csv: i18n._('CSV, for a spreadsheet'),
  xlsx: 'Excel',
  pdf: i18n._('PDF, to print'),
  jsonl: i18n._('JSON lines'),
} as const;

/** A file format of an export. */
export type FileFormat = keyof typeof fileWords;

interface ExportMenuProps<F extends FileFormat> {
  /** The formats to choose from; with none the menu is hidden. */
  formats: readonly F[];
  /** A file is being written. */
  busy: boolean;
  /** What is exported, where it is not what the page shows. */
  label?: string;
  onStart: (format: F) => void;
}

/** Chooses the format of an export. */
export function ExportMenu<F extends FileFormat>({ formats, busy, label, onStart }: ExportMenuProps<F>) {
  if (formats.length === 0) return null;
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled={busy}>
          {label ?? i18n._('Export')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => onStart(format)}>
            {fileWords[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

type Strip = Omit<ComponentProps<typeof TaskStrip>, 'doing' | 'whenStopped' | 'children'>;

/** The progress of an export, then its file. */
export interface FileTask extends Strip {
  written?: { file: string; count: number };
}

interface ExportStatusProps extends FileTask {
  /** The nouns for one row and for many. */
  nouns: readonly [one: string, many: string];
}

/** How far an export is, how to stop it, and where its file lies. */
export function ExportStatus({ written, nouns: [one, many], ...task }: ExportStatusProps) {
  return (
    <TaskStrip {...task} doing={i18n._('Writing the file')} whenStopped={i18n._('Stopped: no file was written.')}>
      {written && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {i18n._('{count} {what} written to', {
            count: formatCount(written.count),
            what: written.count === 1 ? one : many,
          })}{' '}
          <Code>{written.file}</Code>
        </Text>
      )}
    </TaskStrip>
  );
}
