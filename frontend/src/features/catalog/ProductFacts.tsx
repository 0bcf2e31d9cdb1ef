import { Badge, Group } from '@mantine/core';
import { useCapability } from '../../bus/hooks';
import { Facts } from '../../ui/Facts';
import { Part } from '../../ui/Page';
import type { FullProduct } from './product';

/** What a product is, beside its variants. */
export function ProductFacts({ product }: { product: FullProduct }) {
  const { data } = useCapability('settings.get', { section: 'tax' }, { source: 'ProductFacts' });
  const tax = data?.tax?.find(({ id }) => id === product.taxClass)?.name ?? product.taxClass;
  return (
    <Part title="About it">
      <Facts
        facts={[
          ['Description', product.description],
          ['Kind', product.kind],
          ['Vendor', product.vendor],
          ['Tax', tax],
          ['Tags', product.tags.length > 0 && <Tags tags={product.tags} />],
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
