import { Button, CloseButton, Code, Menu, Progress, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import classes from './Audit.module.css';
import type { useExport } from './useExport';

const formats = { jsonl: 'JSON lines', csv: 'CSV, for a spreadsheet' } as const;
export type Format = keyof typeof formats;

/** Chooses a format to write the records in that are found now. */
export function ExportMenu({ busy, onStart }: { busy: boolean; onStart: (format: Format) => void }) {
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled={busy}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {(Object.keys(formats) as Format[]).map((format) => (
          <Menu.Item key={format} onClick={() => onStart(format)}>
            {formats[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** How far an export is, and what became of it. */
export function ExportStatus({ running, stopped, percent, written, error, stop, clear }: ReturnType<typeof useExport>) {
  if (!running && !written && !error) return null;
  return (
    <div className={classes.further}>
      <div role="status">
        {running && <Text size="sm">Writing the file: {percent} %</Text>}
        {written && (
          <Text size="sm" className={classes.path}>
            {written.records.toLocaleString()} {written.records === 1 ? 'record' : 'records'} written to{' '}
            <Code>{written.file}</Code>
          </Text>
        )}
        {error && (
          <Text size="sm">
            {stopped ? 'Stopped: no file was written.' : [error.message, error.recoveryHint].filter(Boolean).join(' ')}
          </Text>
        )}
      </div>
      {running ? (
        <>
          <Progress className={classes.progress} value={percent} aria-label="Written" />
          <Button variant="default" onClick={stop}>
            Stop
          </Button>
        </>
      ) : (
        <CloseButton size="sm" aria-label="Dismiss" onClick={clear} />
      )}
    </div>
  );
}
