import { Badge, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { usePages, useRefusal } from '../../bus/hooks';
import { useDocument } from '../../bus/useDocument';
import { ActionButton } from '../../ui/ActionButton';
import { Figure } from '../../ui/Facts';
import { ExportMenu, ExportStatus } from '../../ui/FileExport';
import { ListPage } from '../../ui/ListPage';
import { Empty } from '../../ui/Note';
import { useKept } from '../../ui/useKept';
import classes from './Catalog.module.css';
import { NewProduct } from './NewProduct';
import { priceText, stockText } from './product';

const source = { source: 'ProductList' };

interface ProductListProps {
  onOpen: (productId: string) => void;
  importButton: ReactNode;
}

/** Everything the shop sells, or did, with what it costs and how much there is. */
export function ProductList({ onOpen, importButton }: ProductListProps) {
  const [text = '', setText] = useKept<string>('catalog text');
  const [adding, setAdding] = useState(false);
  const [query] = useDebouncedValue(text.trim(), 150);
  const pages = usePages('catalog.search', query ? { query, limit: 100 } : { limit: 100 }, source);
  const products = pages.data?.pages.flatMap((page) => page.products) ?? [];
  const disabledReason = useRefusal('catalog.createProduct');

  const { formats, write, task } = useDocument('products', 'ProductList');

  return (
    <>
      <ListPage
        title="Catalog"
        id="catalog"
        pages={pages}
        items={products}
        keyOf={(product) => product.id}
        search={{ value: text, placeholder: 'Name, tag, SKU or barcode  ( / )', onChange: setText }}
        after={
          <>
            <ExportMenu
              formats={formats}
              busy={task.running}
              onStart={(format) => write(format, { query: query || undefined })}
            />
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
        task={<ExportStatus {...task} nouns={['variant', 'variants']} />}
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
