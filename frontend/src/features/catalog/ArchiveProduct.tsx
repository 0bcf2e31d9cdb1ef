import { Text } from '@mantine/core';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';

interface ArchiveProductProps {
  product: { id: string; name: string };
  onClose: () => void;
}

/** Takes a product off sale, once that was confirmed. */
export function ArchiveProduct({ product, onClose }: ArchiveProductProps) {
  const archive = useInvoke('catalog.archiveProduct', { source: 'ArchiveProduct' });
  return (
    <FormDialog
      title={`Take ${product.name} off sale`}
      submit="Take it off sale"
      leave="Keep selling it"
      danger
      pending={archive.isPending}
      error={archive.error}
      onSubmit={() => archive.mutate({ productId: product.id }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <Text>With all its variants. Orders that have it, its stock and its history stay.</Text>
    </FormDialog>
  );
}
