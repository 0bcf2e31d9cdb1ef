import { Activity, type ReactNode } from 'react';
import type { Place } from '../../shop/navigation';
import { ProductList } from './ProductList';
import { ProductPage } from './ProductPage';

interface CatalogPageProps {
  productId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All products, or one of them; the list stays as it was left. */
export default function CatalogPage({ productId, onGo, importButton }: CatalogPageProps) {
  return (
    <>
      <Activity mode={productId ? 'hidden' : 'visible'}>
        <ProductList importButton={importButton} onOpen={(id) => onGo({ page: 'catalog', id })} />
      </Activity>
      {productId && <ProductPage key={productId} productId={productId} onGo={onGo} />}
    </>
  );
}
