import { Text } from '@mantine/core';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { i18n } from '../../language/i18n';

interface ArchiveProductProps {
  product: { id: string; name: string };
  onClose: () => void;
}

/** Takes a product off sale, once that was confirmed. */
export function ArchiveProduct({ product, onClose }: ArchiveProductProps) {
  return (
    <CapabilityDialog
      danger
      name="catalog.archiveProduct"
      source="ArchiveProduct"
      about={{ productId: product.id }}
      title={i18n._('Take {name} off sale', { name: product.name })}
      submit={i18n._('Take it off sale')}
      leave={i18n._('Keep selling it')}
      onClose={onClose}
    >
      <Text>{i18n._('With all its variants. Orders that have it, its stock and its history stay.')}</Text>
    </CapabilityDialog>
  );
}
