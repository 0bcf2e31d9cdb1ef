import { Autocomplete, Text } from '@mantine/core';
import { formatCount } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { NumberField } from '../../ui/form/NumberField';
import { useForm } from '../../ui/form/useForm';
import { storedWhy, type Variant, variantName, whys } from './product';

/** Counts more or fewer pieces of a variant, with the reason. */
export function AdjustStock({ variant, onClose }: { variant: Variant; onClose: () => void }) {
  const { values, change } = useForm(`stock of ${variant.id}`, { delta: 0, reason: '' });
  const { delta, reason } = values;
  const adjust = useInvoke('catalog.adjustStock', { source: 'AdjustStock', once: `stock of ${variant.id}` });
  const moves = delta !== 0;
  return (
    <FormDialog
      title={i18n._('Stock of {name}', { name: variantName(variant) })}
      submit={i18n._('Adjust the stock')}
      disabledReason={moves ? undefined : i18n._('Type how many more, or fewer with a minus.')}
      call={adjust}
      onSubmit={() =>
        moves &&
        adjust.mutate(
          { variantId: variant.id, delta, reason: storedWhy(reason.trim()) || undefined },
          { onDone: onClose },
        )
      }
      onClose={onClose}
    >
      <ErrorAt pointer="/delta">
        <NumberField
          data-autofocus
          label={i18n._('Pieces more')}
          description={i18n._('With a minus: fewer')}
          value={delta || undefined}
          onChange={(next) => change({ delta: next ?? 0 })}
        />
      </ErrorAt>
      <ErrorAt pointer="/reason">
        <Autocomplete
          size="xs"
          label={i18n._('Reason')}
          placeholder={i18n._('Optional')}
          data={Object.values(whys)}
          value={reason}
          onChange={(next) => change({ reason: next })}
        />
      </ErrorAt>
      {variant.stock !== undefined && (
        <Text size="xs" c="dimmed" role="status">
          {moves
            ? i18n._('Now {now}, then {after}.', {
                now: formatCount(variant.stock),
                after: formatCount(variant.stock + delta),
              })
            : i18n._('Now {now}.', { now: formatCount(variant.stock) })}
        </Text>
      )}
    </FormDialog>
  );
}
