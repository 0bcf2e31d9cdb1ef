import { Button, Code, Menu, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { Request } from '../../bus/client';
import { useEntry } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import type { useTask } from '../../bus/useTask';
import { TaskStrip } from '../../ui/TaskStrip';

type Format = Request<'document.export'>['format'];

const words: Record<Format, string> = { csv: 'CSV, for a spreadsheet', xlsx: 'Excel', pdf: 'PDF, to print' };

/** Chooses a format to write the report in. */
export function ExportMenu({ busy, onStart }: { busy: boolean; onStart: (format: Format) => void }) {
  const formats = enumOf<Format>(useEntry('document.export')?.input_schema, 'format');
  return (
    <Menu position="bottom-end" withinPortal={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} disabled={busy}>
          Export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {formats.map((format) => (
          <Menu.Item key={format} onClick={() => onStart(format)}>
            {words[format]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** How far an export is, and where its file lies. */
export function ExportStatus({ data: written, ...task }: ReturnType<typeof useTask<'document.export'>>) {
  return (
    <TaskStrip {...task} doing="Writing the file" whenStopped="Stopped: no file was written.">
      {written && (
        <Text style={{ overflowWrap: 'anywhere' }}>
          {written.rows.toLocaleString()} {written.rows === 1 ? 'row' : 'rows'} written to <Code>{written.file}</Code>
        </Text>
      )}
    </TaskStrip>
  );
}
