import { Badge, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useRefusal } from '../../bus/hooks';
import { useSearched } from '../../bus/useSearched';
import { ActionButton } from '../../ui/ActionButton';
import { Figure } from '../../ui/Facts';
import { ListPage } from '../../ui/ListPage';
import { Empty } from '../../ui/Note';
import classes from './Catalog.module.css';
import { NewProduct } from './NewProduct';
import { priceText, stockText } from './product';

interface ProductListProps {
  onOpen: (productId: string) => void;
  importButton: ReactNode;
}

/** Everything the shop sells, or did, with what it costs and how much there is. */
export function ProductList({ onOpen, importButton }: ProductListProps) {
  const [adding, setAdding] = useState(false);
  const { query, ...list } = useSearched('catalog.search', { source: 'ProductList', kind: 'products' });
  const products = list.pages.data?.pages.flatMap((page) => page.products) ?? [];
  const disabledReason = useRefusal('catalog.createProduct');

  return (
    <>
      <ListPage
        {...list}
        title="Catalog"
        id="catalog"
        items={products}
        keyOf={(product) => product.id}
        placeholder="Name, tag, SKU or barcode  ( / )"
        nouns={['variant', 'variants']}
        after={
          <>
            {importButton}
            <ActionButton
              leftSection={<IconPlus size={15} aria-hidden />}
              disabledReason={disabledReason}
              onClick={() => setAdding(true)}
            >
              Add a product
            </ActionButton>
          </>
        }
        columns={
          <div className={classes.row}>
            <span>Product</span>
            <span>Variants</span>
            <span>Price</span>
            <span>In stock</span>
          </div>
        }
        renderRow={(product) => (
          <div className={classes.row}>
            <Text truncate c={product.archived ? 'dimmed' : undefined}>
              <Text span fw={500}>
                {product.name}
              </Text>{' '}
              {product.archived && <Badge color="gray">Off sale</Badge>}{' '}
              <Text span size="xs" c="dimmed">
                {product.tags.join(', ')}
              </Text>
            </Text>
            <Text c="dimmed">{product.variants.length}</Text>
            <Figure>{priceText(product.variants)}</Figure>
            <Figure>{stockText(product.variants)}</Figure>
          </div>
        )}
        onOpen={(product) => onOpen(product.id)}
        empty={
          query ? (
            <Empty title="No product found">Try another part of the name, a tag, or the SKU on the bag.</Empty>
          ) : (
            <Empty title="Nothing to sell yet">Add the first product, or import a file of them.</Empty>
          )
        }
      />
      {adding && <NewProduct name={query} onClose={() => setAdding(false)} onCreated={onOpen} />}
    </>
  );
}
