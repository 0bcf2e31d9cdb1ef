import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { NumberField } from '../../ui/form/NumberField';
import { useForm } from '../../ui/form/useForm';
import { type Variant, variantName } from './product';

/** Sets how few pieces of a variant are few; an empty field is no level of its own. */
export function SetReorder({ variant, onClose }: { variant: Variant; onClose: () => void }) {
  const known: { typed: number | null } = { typed: variant.reorderLevel ?? null };
  const { values, change } = useForm(`reorder ${variant.id}`, known);
  const set = useInvoke('catalog.setReorder', { source: 'SetReorder' });
  const level = values.typed ?? undefined;
  return (
    <FormDialog
      title={i18n._('Reorder level of {name}', { name: variantName(variant) })}
      submit={i18n._('Set the level')}
      disabledReason={level === variant.reorderLevel ? i18n._('Nothing is changed yet.') : undefined}
      call={set}
      onSubmit={() => set.mutate({ variantId: variant.id, level }, { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/level">
        <NumberField
          data-autofocus
          label={i18n._('Reorder at')}
          description={i18n._('With so many pieces or fewer it is listed as low in stock. Empty: 5.')}
          min={0}
          value={level}
          onChange={(next) => change({ typed: next ?? null })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
