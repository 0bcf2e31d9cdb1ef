import { IconPackageImport, IconPlus } from '@tabler/icons-react';
import { memo, type ReactNode } from 'react';
import { RecordsPage } from '../../kit/lists/RecordsPage';
import { i18n } from '../../language/i18n';
import { useRefusal } from '../../queries/useManifest';
import { ExportSelected } from '../../shop/ExportSelected';
import { ProductPicture } from '../../shop/ProductPicture';
import { useSearched } from '../../shop/useSearchedList';
import { ActionButton } from '../../ui/form/ActionButton';
import { cell, head } from '../../ui/list/cells';
import row from '../../ui/list/Row.module.css';
import { Badge } from '../../ui/page/Badge';
import { Empty } from '../../ui/page/Note';
import { useLasting } from '../../ui/window/useKept';
import classes from './Catalog.module.css';
import { NewProduct } from './NewProduct';
import { type Product, priceText, stockText } from './product';
import { ReceiveStock } from './ReceiveStock';

const productsOf = (page: { products: Product[] }) => page.products;
const idOf = (product: Product) => product.id;
const rowOf = (product: Product) => (
  <div className={classes.row}>
    <span {...cell} className={`${row.cell} ${product.archived ? row.dimmed : ''}`}>
      <ProductPicture product={product} />
      <span className={row.name}>{product.name}</span>{' '}
      {product.archived && <Badge color="gray">{i18n._('Off sale')}</Badge>}{' '}
      <span className={row.minor}>{product.tags.join(', ')}</span>
    </span>
    <span {...cell} className={`${row.cell} ${row.dimmed}`}>
      {product.variants.length}
    </span>
    <span {...cell} className={`${row.cell} ${row.figure}`}>
      {priceText(product.variants)}
    </span>
    <span {...cell} className={`${row.cell} ${row.figure}`}>
      {stockText(product.variants)}
    </span>
  </div>
);

interface ProductListProps {
  onOpen: (productId: string) => void;
  importButton: ReactNode;
}

/** Every product, archived ones too, with prices and stock. */
export const ProductList = memo(function ProductList({ onOpen, importButton }: ProductListProps) {
  const [adding, setAdding] = useLasting('new product', false);
  const created = (id: string) => {
    setAdding(false);
    onOpen(id);
  };
  const [receiving, setReceiving] = useLasting('receiving stock', false);
  const { query, exportingSome, ...list } = useSearched('catalog.search', {
    source: 'ProductList',
    kind: 'products',
    rowsOf: productsOf,
    keyOf: idOf,
  });
  const disabledReason = useRefusal('catalog.createProduct');
  const receive = useRefusal('catalog.receiveStock');

  return (
    <>
      <RecordsPage
        {...list}
        entity="product"
        title={i18n._('Catalog')}
        id="catalog"
        label={i18n._('Search catalog')}
        placeholder={i18n._('Name, tag, SKU or barcode  ( / )')}
        nouns={[i18n._('variant'), i18n._('variants')]}
        after={
          <>
            {importButton}
            <ActionButton
              variant="default"
              leftSection={<IconPackageImport size={15} aria-hidden />}
              disabledReason={receive}
              onClick={() => setReceiving(true)}
            >
              {i18n._('Receive stock')}
            </ActionButton>
            <ActionButton
              leftSection={<IconPlus size={15} aria-hidden />}
              disabledReason={disabledReason}
              onClick={() => setAdding(true)}
            >
              {i18n._('Add a product')}
            </ActionButton>
          </>
        }
        columns={
          <div className={classes.row}>
            <span {...head}>{i18n._('Product')}</span>
            <span {...head}>{i18n._('Variants')}</span>
            <span {...head}>{i18n._('Price')}</span>
            <span {...head}>{i18n._('In stock')}</span>
          </div>
        }
        renderRow={rowOf}
        actions={<ExportSelected entity="product" exporting={exportingSome} />}
        onOpen={(product) => onOpen(product.id)}
        empty={
          query || Object.keys(list.narrowing.values).length > 0 ? (
            <Empty
              title={i18n._('No product found')}
              missing={list.missing}
              action={{ label: i18n._('Show all products'), onClick: list.showAll }}
            >
              {i18n._('Try another part of the name, a tag, or the SKU on the bag.')}
            </Empty>
          ) : (
            <Empty
              title={i18n._('Nothing to sell yet')}
              action={
                disabledReason ? undefined : { label: i18n._('Add the first product'), onClick: () => setAdding(true) }
              }
            >
              {i18n._('Add the first product, or import a file of them.')}
            </Empty>
          )
        }
      />
      {receiving && <ReceiveStock onClose={() => setReceiving(false)} />}
      {adding && <NewProduct name={query} onClose={() => setAdding(false)} onCreated={created} />}
    </>
  );
});
