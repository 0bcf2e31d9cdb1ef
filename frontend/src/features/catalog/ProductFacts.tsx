import { Badge, Group } from '@mantine/core';
import { useCapability } from '../../bus/hooks';
import { Part } from '../../ui/Page';
import classes from './Catalog.module.css';
import type { FullProduct } from './product';

/** What a product is, beside its variants. */
export function ProductFacts({ product }: { product: FullProduct }) {
  const { data } = useCapability('settings.get', { section: 'tax' }, { source: 'ProductFacts' });
  const tax = data?.tax?.find(({ id }) => id === product.taxClass)?.name ?? product.taxClass;
  const facts = [
    ['Description', product.description],
    ['Kind', product.kind],
    ['Vendor', product.vendor],
    ['Tax', tax],
  ] as const;
  return (
    <Part title="About it">
      <dl className={classes.facts}>
        {facts.map(
          ([label, value]) =>
            value && (
              <div key={label} style={{ display: 'contents' }}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ),
        )}
        {product.tags.length > 0 && (
          <>
            <dt>Tags</dt>
            <dd>
              <Group gap={4}>
                {product.tags.map((tag) => (
                  <Badge key={tag} color="gray">
                    {tag}
                  </Badge>
                ))}
              </Group>
            </dd>
          </>
        )}
      </dl>
    </Part>
  );
}
