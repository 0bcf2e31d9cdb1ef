import { type ReactNode, useCallback } from 'react';
import type { Place } from '../../shop/navigation';
import { ListOrRecord } from '../../ui/window/KeptParts';
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
  const open = useCallback((id: string) => onGo({ page: 'catalog', id }), [onGo]);
  return (
    <ListOrRecord
      id={productId}
      list={<ProductList importButton={importButton} onOpen={open} />}
      record={(id) => <ProductPage productId={id} onGo={onGo} />}
    />
  );
}
