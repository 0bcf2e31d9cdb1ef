import { IconFileImport } from '@tabler/icons-react';
import { useState } from 'react';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { lazyPart } from '../../ui/window/lazyPart';
import type { ImportKind } from './importing';

const ImportFile = lazyPart(() => import('./ImportFile'));
const ImportPictures = lazyPart(() => import('./ImportPictures'));

/** Opens the import of a file into the list of a page. */
export function ImportButton({ kind }: { kind: ImportKind }) {
  const [open, setOpen] = useState<'file' | 'pictures'>();
  const close = () => setOpen(undefined);
  const pictures = useRefusal('catalog.addPictures') === undefined ? () => setOpen('pictures') : undefined;
  return (
    <>
      <ActionButton
        variant="default"
        leftSection={<IconFileImport size={15} aria-hidden />}
        disabledReason={useRefusal('shop.importCSV')}
        onClick={() => setOpen('file')}
      >
        {i18n._('Import a file')}
      </ActionButton>
      {open === 'file' && <ImportFile first={kind} onClose={close} onPictures={pictures} />}
      {open === 'pictures' && <ImportPictures onClose={close} />}
    </>
  );
}
