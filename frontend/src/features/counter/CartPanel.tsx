import { Button, Kbd, Text } from '@mantine/core';
import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useCapability } from '../../asking/useCapability';
import { useInvoke } from '../../asking/useInvoke';
import type { Response } from '../../door/capabilities';
import { i18n } from '../../language/i18n';
import { useKeys } from '../../ui/keys/useKeys';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { CartAside } from './CartAside';
import { Checkout } from './Checkout';
import classes from './Counter.module.css';
import { CustomerPicker } from './CustomerPicker';
import { Submitted } from './Submitted';

interface CartPanelProps {
  picking: boolean;
  onPick: (open: boolean) => void;
  /** Leads to the search: a product comes next. */
  toSearch: () => void;
  onOpenOrder: (orderId: string) => void;
}

/** The cart: customer, lines, totals and submission. */
export function CartPanel({ picking, onPick, toSearch, onOpenOrder }: CartPanelProps) {
  const { data: cart, error, refetch } = useCapability('cart.getSummary', {}, { source: 'CartPanel' });
  const submit = useInvoke('checkout.submit', {
    source: 'CheckoutButton',
    once: cart ? `checkout ${cart.cartId}` : true,
  });

  // What was just submitted is not for sale again, though it may be shown for a moment.
  const [last, setLast] = useState<{ cartId?: string; receipt?: Response<'checkout.submit'> }>();
  const selling = cart && cart.items.length > 0 && cart.cartId !== last?.cartId ? cart : undefined;
  if (selling && last?.receipt) setLast({ cartId: last.cartId }); // the next order begins
  const pick = () => {
    submit.reset(); // the next customer
    setLast(last && { cartId: last.cartId });
    onPick(true);
  };
  useKeys({ F3: pick });

  return (
    <section className={classes.panel} aria-label={i18n._('Cart')}>
      {last?.receipt && (
        <Submitted key={last.receipt.orderId} receipt={last.receipt} onOpenOrder={onOpenOrder} onNext={pick} />
      )}
      <div className={classes.head}>
        <div className={classes.customer}>
          <Text size="xs" c="dimmed">
            {i18n._('Customer')}
          </Text>
          <Text fw={600} truncate>
            {cart?.customer?.name ?? i18n._('Nobody chosen yet')}
          </Text>
        </div>
        <Button
          variant="default"
          style={{ flex: 'none' }}
          leftSection={<IconUser size={14} aria-hidden />}
          rightSection={<Kbd>F3</Kbd>}
          onClick={pick}
          aria-keyshortcuts="F3"
        >
          {cart?.customer ? i18n._('Change customer') : i18n._('Choose customer')}
        </Button>
      </div>
      {cart && <CartAside cart={cart} onDone={toSearch} />}
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!cart && !error && <Loading label={i18n._('Opening the cart')} />}
      {cart && !selling && (
        <Empty title={i18n._('The cart is empty')}>{i18n._('Search for a product and press Enter to add it.')}</Empty>
      )}
      {selling && (
        <Checkout cart={selling} submit={submit} onSold={(receipt) => setLast({ cartId: selling.cartId, receipt })} />
      )}
      {picking && <CustomerPicker onClose={() => onPick(false)} onChosen={toSearch} />}
    </section>
  );
}
