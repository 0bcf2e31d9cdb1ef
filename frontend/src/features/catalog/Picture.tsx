import { Group } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useRefusal } from '../../queries/useManifest';
import { usePickedFile } from '../../queries/usePickedFile';
import { ProductPicture } from '../../shop/ProductPicture';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';
import { Part } from '../../ui/page/Page';
import type { FullProduct } from './product';

/** The picture of a product, which can be chosen and removed. */
export function Picture({ product }: { product: FullProduct }) {
  const { unread, pick } = usePickedFile('picture');
  const set = useInvoke('catalog.setPicture', { source: 'Picture' });
  const refusal = useRefusal('catalog.setPicture');
  const failure = unread ?? set.error;
  return (
    <Part title={i18n._('Picture')}>
      <ProductPicture product={product} large alt={i18n._('Picture of {name}', { name: product.name })} />
      {failure && <Problem message={failure.message} hint={failure.recoveryHint} />}
      <Group gap="xs" mt="xs">
        <ActionButton
          variant="default"
          loading={set.isPending}
          disabledReason={refusal}
          onClick={() => pick(({ file }) => set.mutate({ productId: product.id, file }))}
        >
          {product.picture ? i18n._('Choose another picture') : i18n._('Choose a picture')}
        </ActionButton>
        {product.picture && (
          <ActionButton
            variant="default"
            disabledReason={refusal}
            onClick={() => set.mutate({ productId: product.id })}
          >
            {i18n._('Remove the picture')}
          </ActionButton>
        )}
      </Group>
    </Part>
  );
}
