import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import { draftOfProduct, productChange } from './draft';
import { ProductFields } from './ProductFields';
import type { FullProduct } from './product';

/** Changes the name, description, tags and tax class of a product. */
export function EditProduct({ product, onClose }: { product: FullProduct; onClose: () => void }) {
  const { values: draft, change: edit } = useForm(`change of ${product.id}`, draftOfProduct(product));
  const update = useInvoke('catalog.updateProduct', { source: 'EditProduct' });
  const change = productChange(draft, product);
  const nothing = change ? undefined : i18n._('Nothing is changed yet.');
  return (
    <FormDialog
      title={i18n._('Change {name}', { name: product.name })}
      submit={i18n._('Save')}
      size="md"
      disabledReason={draft.name.trim() === '' ? i18n._('Fill in: Name.') : nothing}
      call={update}
      onSubmit={() => change && update.mutate(change, { onDone: onClose })}
      onClose={onClose}
    >
      <ProductFields draft={draft} onChange={edit} />
    </FormDialog>
  );
}
