import { Group, Radio, Stack } from '@mantine/core';
import type { Ref } from 'react';
import type { Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { keyed } from '../../ui/keys/keyed';
import type { Choices } from './checkout';
import type { Optimistic } from './useOptimistic';

interface DeliveryProps {
  ref: Ref<HTMLDivElement>;
  cart: Response<'cart.getSummary'>;
  addressId: string | undefined;
  /** The id of the shipping method. */
  shipping: Optimistic<string | undefined>;
  onChoose: (choice: Choices) => void;
}

/** Where a delivery goes, and by what. */
export function Delivery({ ref, cart, addressId, shipping, onChoose }: DeliveryProps) {
  const set = useInvoke('cart.setShipping', { source: 'Delivery', inTurn: true });
  return (
    <Stack ref={ref} gap="sm">
      {cart.savedAddresses.length > 0 && (
        <Radio.Group
          label={i18n._('Send to')}
          labelProps={keyed('F4')}
          value={addressId ?? null}
          onChange={(id) => onChoose({ addressId: id })}
        >
          <Stack gap={8} mt={6}>
            {cart.savedAddresses.map(({ id, label, text }) => (
              <Radio key={id} size="xs" value={id} label={label ? `${label}: ${text}` : text} />
            ))}
          </Stack>
        </Radio.Group>
      )}
      {cart.shippingMethods.length > 1 && (
        <Radio.Group
          label={i18n._('Shipping')}
          error={set.error?.message}
          value={shipping.value ?? null}
          onChange={(id) => {
            shipping.show(id);
            set.mutate({ method: id }, { onError: () => shipping.show(undefined) });
          }}
        >
          <Group gap="8px 16px" mt={6}>
            {cart.shippingMethods.map(({ id, name, price }) => (
              <Radio key={id} size="xs" value={id} label={`${name} · ${formatMoney(price)}`} />
            ))}
          </Group>
        </Radio.Group>
      )}
    </Stack>
  );
}
