import { Button, Group, Modal, Progress, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useEntry } from '../../bus/hooks';
import { enumOf } from '../../bus/schema';
import { usePickedFile } from '../../bus/usePickedFile';
import { useTask } from '../../bus/useTask';
import { i18n } from '../../language/language';
import { Problem } from '../../ui/Note';
import { useFocusBack } from '../../ui/useFocusBack';
import { ImportPreview } from './ImportPreview';
import { ImportProblems } from './ImportProblems';
import { type ImportKind, importKindText, importSums, importTold } from './importing';

interface ImportFileProps {
  /** What is most likely in it. */
  first: ImportKind;
  onClose: () => void;
}

/** Imports a file: first what it would change, or which lines are wrong; then, if that is right, all of it. */
export default function ImportFile({ first, onClose }: ImportFileProps) {
  const kinds = enumOf<ImportKind>(useEntry('shop.importCSV')?.input_schema, 'kind');
  const [kind, setKind] = useState<ImportKind>(first);
  const { picked, unread, pick } = usePickedFile('csv');
  const { clear, ...task } = useTask('shop.importCSV', 'ImportFile');
  const { running, data, error } = task;
  useFocusBack();

  const choose = () => pick(({ file }) => task.start({ file, kind, dryRun: true }));
  const close = () => {
    if (!running) clear();
    onClose();
  };
  const stopped = error?.reason === 'cancelled';

  return (
    <Modal opened onClose={close} title={i18n._('Import a file')} size="lg">
      <Stack gap="sm">
        {!data && !running && kinds.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label={i18n._('What is in it')}
            data={kinds.map((value) => ({ value, label: importKindText(value) }))}
            value={kind}
            onChange={setKind}
          />
        )}
        {!data && !running && (
          <Text c="dimmed">
            {i18n._(
              'A CSV file as Shopify exports it. You see what would change before anything does; with a mistake in it, nothing is imported.',
            )}
          </Text>
        )}
        {unread && <Problem message={unread.message} hint={unread.recoveryHint} />}
        {stopped && <Problem message={i18n._('Stopped: nothing was changed.')} />}
        {error && !stopped && <ImportProblems error={error} name={picked?.name} />}
        {running && (
          <div role="status">
            <Text mb={4}>
              {task.percent > 0
                ? i18n._('Importing: {percent} %', { percent: task.percent })
                : i18n._('Reading the file')}
            </Text>
            <Progress value={task.percent || 100} animated={task.percent === 0} aria-label={i18n._('Import')} />
          </div>
        )}
        {data && <ImportPreview result={data} kind={kind} />}
        {data && !data.dryRun && (
          <Text role="status" fw={600}>
            {importTold(data, kind)}
          </Text>
        )}
        <Group justify="flex-end" gap="xs">
          {running ? (
            <Button variant="default" onClick={task.stop} disabled={task.stopped}>
              {i18n._('Stop')}
            </Button>
          ) : (
            <Button variant="default" onClick={close}>
              {data && !data.dryRun ? i18n._('Close') : i18n._('Cancel')}
            </Button>
          )}
          {!running && (
            <Button variant={data ? 'default' : 'filled'} onClick={choose} data-autofocus>
              {data || error ? i18n._('Choose another file') : i18n._('Choose a file')}
            </Button>
          )}
          {data?.dryRun && picked && importSums(data).created + importSums(data).updated > 0 && (
            <Button onClick={() => task.start({ file: picked.file, kind })}>{i18n._('Import all of it')}</Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
