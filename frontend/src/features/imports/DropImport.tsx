import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { DroppedFile } from '../../bridge/client';
import { asBusError } from '../../bridge/error';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useMayAsk } from '../../queries/frozen';
import { useRefusal } from '../../queries/useManifest';
import { useTask } from '../../queries/useTask';
import { dialogIsOpen } from '../../ui/keys/registry';
import { lazyPart } from '../../ui/window/lazyPart';
import { useFileDrop } from '../../ui/window/useFileDrop';
import { fileIn } from './dropping';
import classes from './Imports.module.css';
import { importKindOf } from './importing';

const ImportFile = lazyPart(() => import('./ImportFile'));

const NOTICE = 'drop';

/** Takes a CSV file that is dropped onto the window and previews its changes, on every page. */
export function DropImport() {
  const client = useClient();
  const refusal = useRefusal('shop.importCSV');
  const there = useMayAsk(); // not while the window is locked
  const task = useTask('shop.importCSV', 'ImportFile');
  const [dropped, setDropped] = useState<DroppedFile>();

  const busy = () => {
    if (task.running) return i18n._('A file is being imported. Drop the next one when that is over.');
    return dialogIsOpen() ? i18n._('Close the dialog first, then drop the file again.') : undefined;
  };
  const take = async (transfer: DataTransfer) => {
    notifications.hide(NOTICE);
    const found = fileIn(transfer);
    if (refusal) return tell(refusal);
    if ('refusal' in found) return tell(found.refusal);
    const later = busy();
    if (later) return tell(later);
    try {
      const taken = await client.dropFile(found.file);
      const kind = importKindOf(taken);
      if (kind) task.start({ file: taken.file, kind, dryRun: true });
      else task.clear();
      setDropped(taken);
    } catch (thrown) {
      const { message, recoveryHint } = asBusError(thrown);
      tell(message, recoveryHint);
    }
  };
  const over = useFileDrop((transfer) => there && take(transfer));
  const refused = over && there ? (refusal ?? busy()) : undefined;

  return (
    <>
      {over && there && (
        <div className={classes.target} data-refused={refused !== undefined || undefined}>
          <p role="status">{refused ?? i18n._('Drop the CSV file to import it')}</p>
        </div>
      )}
      {dropped && <ImportFile dropped={dropped} onClose={() => setDropped(undefined)} />}
    </>
  );
}

/** Says why nothing came of a drop; the next one takes it away. */
function tell(message: string, hint?: string): void {
  notifications.show({
    id: NOTICE,
    title: hint && message,
    message: hint ?? message,
    color: 'amber',
    autoClose: false,
    withBorder: true,
  });
}
