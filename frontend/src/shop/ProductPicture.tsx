import { IconPhoto } from '@tabler/icons-react';
import { useCapability } from '../queries/useCapability';
import classes from './ProductPicture.module.css';

interface ProductPictureProps {
  product: { id: string; picture?: string };
  /** In full size; without it as small as a row of a list. */
  large?: boolean;
  /** The text in place of the picture; empty where its name stands beside it. */
  alt?: string;
}

/** The picture of a product, read when it comes into view; a sign in its place where there is none. */
export function ProductPicture({ product, large, alt = '' }: ProductPictureProps) {
  const size = large ? 'large' : 'small';
  if (!product.picture)
    return (
      <span className={classes.picture} data-size={size} aria-hidden>
        <IconPhoto size={large ? 32 : 14} />
      </span>
    );
  return <Picture key={product.picture} edition={product.picture} productId={product.id} size={size} alt={alt} />;
}

interface PictureProps {
  productId: string;
  edition: string;
  size: 'large' | 'small';
  alt: string;
}

function Picture({ productId, edition, size, alt }: PictureProps) {
  const args = { productId, small: size === 'small' };
  const { data } = useCapability('catalog.getPicture', args, { source: 'ProductPicture', edition });
  return (
    <span className={classes.picture} data-size={size}>
      {data && <img src={`data:image/jpeg;base64,${data.jpeg}`} alt={alt} decoding="async" />}
    </span>
  );
}
