import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useRefusal } from '../../queries/useManifest';
import type { Place } from '../../shop/navigation';
import { ActionButton } from '../../ui/form/ActionButton';
import { Badge } from '../../ui/page/Badge';
import { Loading } from '../../ui/page/Loading';
import { Problem } from '../../ui/page/Note';
import { BackButton, Page, PageBody, Split } from '../../ui/page/Page';
import { PageHead } from '../../ui/page/PageHead';
import { useLasting } from '../../ui/window/useKept';
import { ArchiveProduct } from './ArchiveProduct';
import { EditProduct } from './EditProduct';
import { Picture } from './Picture';
import { ProductFacts } from './ProductFacts';
import { PriceHistory, StockHistory } from './ProductHistory';
import { Variants } from './Variants';

interface ProductPageProps {
  productId: string;
  onGo: (place: Place) => void;
}

/** One product: its variants, what they cost and how many there are, and how that changed. */
export function ProductPage({ productId, onGo }: ProductPageProps) {
  const [open, setOpen] = useLasting<'edit' | 'archive' | undefined>(`product ${productId}`, undefined);
  const options = { source: 'ProductPage' };
  const { data: product, error, refetch } = useCapability('catalog.getProduct', { productId }, options);
  const edit = useRefusal('catalog.updateProduct');
  const archive = useRefusal('catalog.archiveProduct');
  const close = () => setOpen(undefined);

  return (
    <Page>
      <PageHead
        title={product?.name ?? i18n._('Product')}
        before={<BackButton label={i18n._('All products')} onClick={() => onGo({ page: 'catalog' })} />}
      >
        {product?.archived && <Badge color="gray">{i18n._('Off sale')}</Badge>}
        {product && (
          <>
            <ActionButton variant="default" disabledReason={edit} onClick={() => setOpen('edit')}>
              {i18n._('Change the product')}
            </ActionButton>
            <ActionButton
              variant="default"
              disabledReason={product.archived ? i18n._('It is off sale already.') : archive}
              onClick={() => setOpen('archive')}
            >
              {i18n._('Take off sale')}
            </ActionButton>
          </>
        )}
      </PageHead>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!product && !error && <Loading label={i18n._('Reading the product')} />}
      {product && (
        <PageBody label={i18n._('Product')}>
          <Split
            side={
              <>
                <Picture product={product} />
                <ProductFacts product={product} />
                <PriceHistory product={product} />
                <StockHistory product={product} onOpenOrder={(id) => onGo({ page: 'orders', id })} />
              </>
            }
          >
            <Variants product={product} />
          </Split>
        </PageBody>
      )}
      {product && open === 'edit' && <EditProduct product={product} onClose={close} />}
      {product && open === 'archive' && <ArchiveProduct product={product} onClose={close} />}
    </Page>
  );
}
