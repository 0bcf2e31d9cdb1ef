import type { Place } from '../../bus/navigation';
import { ProductList } from './ProductList';
import { ProductPage } from './ProductPage';

interface CatalogPageProps {
  productId?: string;
  onGo: (place: Place) => void;
}

/** All products, or one of them. */
export default function CatalogPage({ productId, onGo }: CatalogPageProps) {
  if (productId) return <ProductPage key={productId} productId={productId} onGo={onGo} />;
  return <ProductList onOpen={(id) => onGo({ page: 'catalog', id })} />;
}
