import type { ReactNode } from 'react';
import type { Place } from '../../bus/navigation';
import { ProductList } from './ProductList';
import { ProductPage } from './ProductPage';

interface CatalogPageProps {
  productId?: string;
  onGo: (place: Place) => void;
  /** The way to bring in a file of them. */
  importButton: ReactNode;
}

/** All products, or one of them. */
export default function CatalogPage({ productId, onGo, importButton }: CatalogPageProps) {
  if (productId) return <ProductPage key={productId} productId={productId} onGo={onGo} />;
  return <ProductList importButton={importButton} onOpen={(id) => onGo({ page: 'catalog', id })} />;
}
