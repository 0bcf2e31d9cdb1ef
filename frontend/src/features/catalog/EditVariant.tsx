import { Checkbox } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useCurrency } from '../../shop/currency';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import { useDialogScans } from '../../ui/keys/useScans';
import { draftOfVariant, newVariant, variantChange, variantMissing } from './draft';
import { type FullProduct, type Variant, variantName } from './product';
import { VariantFields } from './VariantFields';

interface EditVariantProps {
  product: FullProduct;
  /** The variant to change; absent: a new one. */
  variant?: Variant;
  onClose: () => void;
}

/** The JSON pointer of the variant in the request. */
const AT = '/variants/0';

/** Changes a variant or adds one; other dialogs set the price and stock of an existing one. */
export function EditVariant({ product, variant, onClose }: EditVariantProps) {
  const names = product.optionNames;
  const currency = useCurrency();
  const which = `variant ${variant?.id ?? 'new'} of ${product.id}`;
  const { values: draft, change } = useForm(which, draftOfVariant(names, variant));
  useDialogScans((barcode) => change({ barcode }));
  const update = useInvoke('catalog.updateProduct', { source: 'EditVariant', once: variant ? undefined : which });
  const sent = variant ? variantChange(names, draft, variant) : currency && newVariant(names, draft, currency);
  const nothing = sent ? undefined : i18n._('Nothing is changed yet.');
  return (
    <FormDialog
      title={variant ? i18n._('Change {name}', { name: variantName(variant) }) : i18n._('Add a variant')}
      submit={variant ? i18n._('Save') : i18n._('Add the variant')}
      disabledReason={variantMissing(names, draft) ?? nothing}
      call={update}
      onSubmit={() => sent && update.mutate({ productId: product.id, variants: [sent] }, { onDone: onClose })}
      onClose={onClose}
    >
      <VariantFields
        at={AT}
        names={names}
        draft={draft}
        currency={currency}
        exists={variant !== undefined}
        onChange={change}
      />
      {!variant?.default && (
        <Checkbox
          size="xs"
          label={i18n._('Use it when no variant is named')}
          checked={draft.preferred}
          onChange={(e) => change({ preferred: e.currentTarget.checked })}
        />
      )}
      <Checkbox
        size="xs"
        label={i18n._('May be sold when there is none')}
        checked={draft.ahead}
        onChange={(e) => change({ ahead: e.currentTarget.checked })}
      />
      {variant && (
        <Checkbox
          size="xs"
          label={i18n._('For sale')}
          checked={draft.forSale}
          onChange={(e) => change({ forSale: e.currentTarget.checked })}
        />
      )}
    </FormDialog>
  );
}
