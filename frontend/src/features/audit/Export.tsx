import { Button, Code, Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { useTask } from '../../bus/useTask';
import { TaskStrip } from '../../ui/TaskStrip';
import classes from './Audit.module.css';

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
export function ExportStatus({ data: written, ...task }: ReturnType<typeof useTask<'audit.export'>>) {
  return (
    <TaskStrip {...task} doing="Writing the file" whenStopped="Stopped: no file was written.">
      {written && (
        <Text size="sm" className={classes.path}>
          {written.records.toLocaleString()} {written.records === 1 ? 'record' : 'records'} written to{' '}
          <Code>{written.file}</Code>
        </Text>
      )}
    </TaskStrip>
  );
}
