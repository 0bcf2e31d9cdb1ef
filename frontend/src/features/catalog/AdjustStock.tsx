import { Autocomplete, NumberInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useInvoke } from '../../bus/hooks';
import { FormDialog } from '../../ui/FormDialog';
import { type Variant, variantName } from './product';

const reasons = ['delivery', 'counted', 'broken', 'given away'];

/** Counts more or fewer pieces of a variant, with the reason. */
export function AdjustStock({ variant, onClose }: { variant: Variant; onClose: () => void }) {
  const [delta, setDelta] = useState<string | number>('');
  const [reason, setReason] = useState('');
  const adjust = useInvoke('catalog.adjustStock', { source: 'AdjustStock', once: true });
  const moves = typeof delta === 'number' && delta !== 0;
  return (
    <FormDialog
      title={`Stock of ${variantName(variant)}`}
      submit="Adjust the stock"
      disabledReason={moves ? undefined : 'Type how many more, or fewer with a minus.'}
      pending={adjust.isPending}
      error={adjust.error}
      onSubmit={() =>
        moves &&
        adjust.mutate({ variantId: variant.id, delta, reason: reason.trim() || undefined }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      <NumberInput
        data-autofocus
        label="Pieces more"
        description="With a minus: fewer"
        allowDecimal={false}
        value={delta}
        onChange={setDelta}
      />
      <Autocomplete
        size="xs"
        label="Reason"
        placeholder="Optional"
        data={reasons}
        value={reason}
        onChange={setReason}
      />
      {variant.stock !== undefined && (
        <Text size="xs" c="dimmed" role="status">
          Now {variant.stock.toLocaleString()}
          {moves && `, then ${(variant.stock + delta).toLocaleString()}`}.
        </Text>
      )}
    </FormDialog>
  );
}
