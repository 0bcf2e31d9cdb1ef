import { Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { translateFromGo } from '../../../language/translateFromGo';
import { useInvoke } from '../../../queries/useInvoke';
import { FormDialog } from '../../../ui/form/FormDialog';

interface OrderAgainProps {
  order: Response<'order.get'>;
  onClose: () => void;
}

/** Puts the items of an order into the cart, and says which could not be. */
export function OrderAgain({ order, onClose }: OrderAgainProps) {
  const again = useInvoke('cart.fromOrder', { source: 'OrderActions' });
  const missing = again.data?.data.unavailable ?? [];
  return (
    <FormDialog
      title={i18n._('{step}: {order}', { step: i18n._('Order again'), order: order.id })}
      submit={missing.length > 0 ? i18n._('Close') : i18n._('Put into the cart')}
      call={again}
      onSubmit={() =>
        missing.length > 0
          ? onClose()
          : again.mutate({ orderId: order.id }, { onDone: ({ data }) => data.unavailable.length === 0 && onClose() })
      }
      onClose={onClose}
    >
      {missing.length === 0 && <Text>{i18n._('Its items go into the cart of the counter, at today’s prices.')}</Text>}
      {missing.map(({ variantId, name, why }) => (
        <Text key={variantId}>{i18n._('{name} is left out: {why}', { name, why: translateFromGo(why ?? '') })}</Text>
      ))}
    </FormDialog>
  );
}
