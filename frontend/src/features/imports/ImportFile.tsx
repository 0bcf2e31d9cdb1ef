import { Button, Checkbox, Group, Progress, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { DroppedFile } from '../../bridge/client';
import { enumOf } from '../../bridge/schema';
import { currencyName } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import { usePickedFile } from '../../queries/usePickedFile';
import { useTask } from '../../queries/useTask';
import { useCurrency } from '../../shop/currency';
import { ActionButton } from '../../ui/form/ActionButton';
import { Segments } from '../../ui/form/Segments';
import { Dialog } from '../../ui/page/Dialog';
import { Problem } from '../../ui/page/Note';
import { ImportPreview } from './ImportPreview';
import { ImportProblems } from './ImportProblems';
import { type ImportKind, importKindOf, importKindText, importSums, importTold } from './importing';

interface ImportFileProps {
  /** The likely kind of the file. */
  first?: ImportKind;
  /** A file that is there already, and looked at if it says what is in it. */
  dropped?: DroppedFile;
  onClose: () => void;
  /** Goes on with the pictures of the products. */
  onPictures?: () => void;
}

/** Imports a file: first what it would change and which rows cannot be taken; then all of it, or the other rows. */
export default function ImportFile({ first, dropped, onClose, onPictures }: ImportFileProps) {
  const kinds = enumOf<ImportKind>(useEntry('shop.importCSV')?.input_schema, 'kind');
  const [kind, setKind] = useState<ImportKind | ''>(first ?? importKindOf(dropped) ?? '');
  const [looked, setLooked] = useState<ImportKind | ''>(kind); // as what it was looked at last
  const { picked, unread, pick } = usePickedFile('csv', dropped);
  const currency = useCurrency();
  const [agreed, setAgreed] = useState(false); // that the prices are in the shop's currency
  const { clear, ...task } = useTask('shop.importCSV', 'ImportFile');
  const { running, data, error } = task;

  const look = (file: string) => {
    if (!kind) return;
    setLooked(kind);
    setAgreed(false);
    task.start({ file, kind, dryRun: true });
  };
  const choose = () => pick(({ file }) => look(file));
  const close = () => {
    if (!running) clear();
    onClose();
  };
  const importable = data?.dryRun && importSums(data).created + importSums(data).updated > 0;
  const stopped = error?.reason === 'cancelled';
  const unseen = picked !== undefined && !data && !running && (kind === '' || kind !== looked);
  const unsaid = kind === '' ? i18n._('Say first what is in it.') : undefined;

  return (
    <Dialog onClose={close} title={i18n._('Import a file')} size="lg">
      <Stack gap="sm">
        {!data && !running && kinds.length > 1 && (
          <Segments<ImportKind | ''>
            label={i18n._('What is in it')}
            choices={kinds.map((value) => ({ value, label: importKindText(value) }))}
            value={kind}
            onChange={setKind}
          />
        )}
        {picked && !looked && (
          <Text>{i18n._('The header of {file} does not say what is in it.', { file: picked.name ?? '' })}</Text>
        )}
        {!data && !running && (
          <Text c="dimmed">
            {i18n._(
              'A CSV file as Shopify exports it. You see what would change and which rows cannot be taken before anything changes.',
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
        {data && kind && <ImportPreview result={data} kind={kind} />}
        {importable && kind === 'products' && (
          <Checkbox
            label={i18n._('The prices in the file are in {currency}.', { currency: currencyName(currency) })}
            description={i18n._('The file does not say it.')}
            checked={agreed}
            onChange={(event) => setAgreed(event.currentTarget.checked)}
          />
        )}
        {data && kind && !data.dryRun && (
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
            <ActionButton
              variant={data || unseen ? 'default' : 'filled'}
              disabledReason={unsaid}
              onClick={choose}
              data-autofocus
            >
              {data || error || picked ? i18n._('Choose another file') : i18n._('Choose a file')}
            </ActionButton>
          )}
          {!running && onPictures && kind === 'products' && !(data?.dryRun ?? false) && (
            <ActionButton
              variant={data ? 'filled' : 'default'}
              onClick={() => {
                clear();
                onPictures();
              }}
            >
              {i18n._('Pictures of products')}
            </ActionButton>
          )}
          {unseen && (
            <ActionButton disabledReason={unsaid} onClick={() => look(picked.file)}>
              {i18n._('Look what would change')}
            </ActionButton>
          )}
          {importable && picked && kind && (
            <ActionButton
              disabledReason={
                kind === 'products' && !agreed ? i18n._('Say first in which currency the prices are.') : undefined
              }
              onClick={() =>
                task.start({
                  ...{ file: picked.file, kind, currency: kind === 'products' ? currency : undefined },
                  leaveOut: data.rowsLeftOut > 0 || undefined,
                })
              }
            >
              {data.rowsLeftOut > 0 ? i18n._('Import the other rows') : i18n._('Import all of it')}
            </ActionButton>
          )}
        </Group>
      </Stack>
    </Dialog>
  );
}
