import { Input, TagsInput } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useCurrency } from '../../shop/currency';
import { EditableRows } from '../../ui/form/EditableRows';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { useForm } from '../../ui/form/useForm';
import { useRows } from '../../ui/form/useRows';
import { useDialogScans } from '../../ui/keys/useScans';
import classes from './Catalog.module.css';
import { draftOfProduct, draftOfVariant, newVariant, type VariantDraft, variantMissing } from './draft';
import { ProductFields } from './ProductFields';
import { VariantFields } from './VariantFields';

interface NewProductProps {
  /** The searched words: most likely the name. */
  name: string;
  /** The barcode that was scanned and is of no product yet. */
  barcode?: string;
  onClose: () => void;
  onCreated: (productId: string) => void;
}

/** Adds a product with its first variants. A code that is scanned is the barcode of the first without one. */
export function NewProduct({ name, barcode, onClose, onCreated }: NewProductProps) {
  const currency = useCurrency();
  const form = useForm('new product itself', { ...draftOfProduct({ name }), options: [] as string[] });
  const { options, ...product } = form.values;
  const { rows, change, omit, add } = useRows<VariantDraft & { id?: string }>('new product variants', [
    { ...draftOfVariant([]), barcode: barcode ?? '' },
  ]);
  const create = useInvoke('catalog.createProduct', { source: 'NewProduct', once: 'new product itself' });
  const save = () =>
    currency &&
    create.mutate(
      {
        name: product.name.trim(),
        description: product.description.trim() || undefined,
        tags: product.tags.length > 0 ? product.tags : undefined,
        taxClass: product.taxClass ?? undefined,
        options: options.length > 0 ? options : undefined,
        variants: rows.map((variant) => newVariant(options, variant, currency)),
      },
      { onDone: ({ data }) => onCreated(data.productId) },
    );
  useDialogScans((code) => {
    const next = rows.find((row) => row.barcode.trim() === '') ?? rows.at(-1);
    if (next) change(next.row, { barcode: code });
  });
  const lacking = rows.map((variant) => variantMissing(options, variant)).find(Boolean);

  return (
    <FormDialog
      title={i18n._('Add a product')}
      submit={i18n._('Add the product')}
      size="lg"
      disabledReason={product.name.trim() === '' ? i18n._('Fill in: Name.') : lacking}
      call={create}
      onSubmit={save}
      onClose={onClose}
    >
      <ProductFields draft={product} onChange={form.change} />
      <ErrorAt pointer="/options">
        <TagsInput
          size="xs"
          label={i18n._('Options')}
          description={i18n._('What its variants differ in, such as Size and Colour')}
          placeholder={options.length === 0 ? i18n._('Type one and press Enter') : undefined}
          maxTags={3}
          value={options}
          onChange={(next) => form.change({ options: next })}
        />
      </ErrorAt>
      <Input.Wrapper label={i18n._('Variants')} labelElement="div">
        <EditableRows
          label={i18n._('Variants')}
          className={classes.newVariants}
          rows={rows}
          omitText={(_, index) => i18n._('Leave variant {number} out', { number: index + 1 })}
          omitRefused={rows.length === 1 ? i18n._('A product has at least one.') : undefined}
          onOmit={omit}
          adding={
            options.length > 0
              ? { text: i18n._('One more variant'), onAdd: () => add(draftOfVariant(options)), space: 'xs' }
              : undefined
          }
        >
          {(variant, index) => (
            <VariantFields
              at={`/variants/${index}`}
              names={options}
              draft={variant}
              currency={currency}
              onChange={(part) => change(variant.row, part)}
            />
          )}
        </EditableRows>
      </Input.Wrapper>
    </FormDialog>
  );
}
