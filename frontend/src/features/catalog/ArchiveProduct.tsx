import { Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { FormDialog } from '../../ui/form/FormDialog';

interface ArchiveProductProps {
  product: { id: string; name: string };
  onClose: () => void;
}

/** Takes a product off sale, once that was confirmed. */
export function ArchiveProduct({ product, onClose }: ArchiveProductProps) {
  const archive = useInvoke('catalog.archiveProduct', { source: 'ArchiveProduct' });
  return (
    <FormDialog
      title={i18n._('Take {name} off sale', { name: product.name })}
      submit={i18n._('Take it off sale')}
      leave={i18n._('Keep selling it')}
      danger
      call={archive}
      onSubmit={() => archive.mutate({ productId: product.id }, { onDone: onClose })}
      onClose={onClose}
    >
      <Text>{i18n._('With all its variants. Orders that have it, its stock and its history stay.')}</Text>
    </FormDialog>
  );
}
