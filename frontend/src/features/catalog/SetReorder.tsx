import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { NumberField } from '../../ui/form/NumberField';
import { useLasting } from '../../ui/window/useKept';
import { type Variant, variantName } from './product';

/** Sets how few pieces of a variant are few; an empty field is no level of its own. */
export function SetReorder({ variant, onClose }: { variant: Variant; onClose: () => void }) {
  const [typed, setTyped] = useLasting<number | null>(`reorder ${variant.id}`, variant.reorderLevel ?? null);
  const set = useInvoke('catalog.setReorder', { source: 'SetReorder' });
  const level = typed ?? undefined;
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
          onChange={(next) => setTyped(next ?? null)}
        />
      </ErrorAt>
    </FormDialog>
  );
}
