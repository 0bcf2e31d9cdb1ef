import { Group } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { Badge } from '../../ui/page/Badge';
import { Facts } from '../../ui/page/Facts';
import { Part } from '../../ui/page/Page';
import type { FullProduct } from './product';

/** The facts of a product, without its variants. */
export function ProductFacts({ product }: { product: FullProduct }) {
  const { data } = useCapability('settings.get', { section: 'tax' }, { source: 'ProductFacts' });
  const tax = data?.tax?.find(({ id }) => id === product.taxClass)?.name ?? product.taxClass;
  return (
    <Part title={i18n._('About it')}>
      <Facts
        facts={[
          [i18n._('Description'), product.description],
          [i18n._('Kind'), product.kind],
          [i18n._('Vendor'), product.vendor],
          [i18n._('Tax'), tax],
          [i18n._('Tags'), product.tags.length > 0 && <Tags tags={product.tags} />],
        ]}
      />
    </Part>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} color="gray">
          {tag}
        </Badge>
      ))}
    </Group>
  );
}
