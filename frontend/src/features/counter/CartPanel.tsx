import { Button, Kbd, Text } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useCapability, useInvoke } from '../../bus/hooks';
import { Loading } from '../../ui/Loading';
import { Empty, Problem } from '../../ui/Note';
import { useKeys } from '../../ui/useKeys';
import { Checkout } from './Checkout';
import classes from './Counter.module.css';
import { CustomerPicker } from './CustomerPicker';
import { Submitted } from './Submitted';

interface CartPanelProps {
  picking: boolean;
  onPick: (open: boolean) => void;
  onCustomerChosen: () => void;
  onOpenOrder: (orderId: string) => void;
}

/** The cart: whose it is, what is in it, what it comes to, and its submission. */
export function CartPanel({ picking, onPick, onCustomerChosen, onOpenOrder }: CartPanelProps) {
  const { data: cart, error, refetch } = useCapability('cart.getSummary', {}, { source: 'CartPanel' });
  const submit = useInvoke('checkout.submit', { source: 'CheckoutButton', once: true });

  useKeys({ F3: () => onPick(true) });

  return (
    <section className={classes.panel} aria-label="Cart">
      {submit.data && (
        <Submitted receipt={submit.data.data} onOpenOrder={onOpenOrder} onDismiss={() => submit.reset()} />
      )}
      <div className={classes.head}>
        <div className={classes.customer}>
          <Text size="xs" c="dimmed">
            Customer
          </Text>
          <Text fw={600} truncate>
            {cart?.customer?.name ?? 'Nobody chosen yet'}
          </Text>
        </div>
        <Button
          variant="default"
          leftSection={<IconUser size={14} aria-hidden />}
          rightSection={<Kbd>F3</Kbd>}
          onClick={() => onPick(true)}
          aria-keyshortcuts="F3"
        >
          {cart?.customer ? 'Change customer' : 'Choose customer'}
        </Button>
      </div>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!cart && !error && <Loading label="Opening the cart" />}
      {cart?.items.length === 0 && (
        <Empty title="The cart is empty">Search for a product and press Enter to add it.</Empty>
      )}
      {cart && cart.items.length > 0 && <Checkout cart={cart} submit={submit} />}
      {picking && <CustomerPicker onClose={() => onPick(false)} onChosen={onCustomerChosen} />}
    </section>
  );
}
