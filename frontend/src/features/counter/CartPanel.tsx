import { Button, Group, Text } from '@mantine/core';
import { IconUser, IconUserOff, IconUserPlus, IconX } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { useWhenPossible } from '../../kit/actions/useWhenPossible';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { IconAction } from '../../ui/form/IconAction';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import type { NewCustomerProps } from './additions';
import { CartAside } from './CartAside';
import { Checkout } from './Checkout';
import classes from './Counter.module.css';
import { CustomerPicker } from './CustomerPicker';
import { Submitted } from './Submitted';
import { removeWaiting, useWaiting } from './waiting';

interface CartPanelProps {
  picking: boolean;
  onPick: (open: boolean) => void;
  /** Leads to the search: a product comes next. */
  toSearch: (typed?: string) => void;
  /** Called when the cart is an order: the next sale begins in the search. */
  onSold: () => void;
  onOpenOrder: (orderId: string) => void;
  newCustomer: (props: NewCustomerProps) => ReactNode;
}

/** The cart: customer, lines, totals and submission. */
export function CartPanel({ picking, onPick, toSearch, onSold, onOpenOrder, newCustomer }: CartPanelProps) {
  const { data: cart, error, refetch } = useCapability('cart.getSummary', {}, { source: 'CartPanel' });
  const submit = useInvoke('checkout.submit', {
    source: 'CheckoutButton',
    once: cart ? `checkout ${cart.cartId}` : true,
  });

  // What was just submitted is not for sale again, though it may be shown for a moment.
  const [last, setLast] = useState<{ cartId?: string; receipt?: Response<'checkout.submit'> }>();
  const selling = cart && cart.items.length > 0 && cart.cartId !== last?.cartId ? cart : undefined;
  if (selling && last?.receipt) setLast({ cartId: last.cartId }); // the next order begins
  const setCustomer = useInvoke('cart.setCustomer', { source: 'CartPanel' });
  const refused = [submit, setCustomer].filter(({ isError }) => isError).map(({ reset }) => reset);
  const ofCart = useRef(cart?.cartId);
  useEffect(() => {
    if (ofCart.current === cart?.cartId) return;
    ofCart.current = cart?.cartId;
    for (const reset of refused) reset(); // a refusal is of one cart
  });
  const [adding, setAdding] = useState<string>();
  const whenPossible = useWhenPossible();
  const mayAdd = useEntry('customer.create')?.available ?? false;
  // The goods of a sale at the counter are still taken along when it is known whose it is.
  const fulfilment = cart && !cart.customer && cart.itemCount > 0 ? cart.fulfilment : undefined;
  const pick = () => {
    submit.reset(); // the next customer
    setLast(last && { cartId: last.cartId });
    onPick(true);
  };
  useKeys({
    F3: { does: i18n._('Choose customer'), act: pick },
    'Shift+F3': { does: i18n._('New customer'), act: () => whenPossible('customer.create', () => setAdding('')) },
  });

  return (
    <section className={classes.panel} aria-label={i18n._('Cart')}>
      {last?.receipt && <Submitted key={last.receipt.orderId} receipt={last.receipt} onOpenOrder={onOpenOrder} />}
      <div className={classes.head}>
        <div className={classes.customer}>
          <Text size="xs" c="dimmed">
            {i18n._('Customer')}
          </Text>
          <Text fw={600} truncate>
            {cart?.customer?.name ?? i18n._('Walk-in')}
          </Text>
        </div>
        <Group gap={6} wrap="nowrap" style={{ flex: 'none' }}>
          {cart?.customer && (
            <IconAction
              label={i18n._('Make it a walk-in’s')}
              onClick={() => setCustomer.mutate({ walkIn: true })}
              loading={setCustomer.isPending}
            >
              <IconUserOff size={15} aria-hidden />
            </IconAction>
          )}
          <Button variant="default" leftSection={<IconUser size={14} aria-hidden />} onClick={pick} {...keyed('F3')}>
            {cart?.customer ? i18n._('Change customer') : i18n._('Choose customer')}
          </Button>
          {mayAdd && (
            <IconAction label={i18n._('New customer')} shortcut="Shift+F3" onClick={() => setAdding('')}>
              <IconUserPlus size={15} aria-hidden />
            </IconAction>
          )}
        </Group>
      </div>
      <WaitingList />
      {cart?.customer && <CustomerNotes customerId={cart.customer.id} />}
      {cart && <CartAside cart={cart} onDone={() => toSearch()} />}
      {setCustomer.error && <Problem message={setCustomer.error.message} hint={setCustomer.error.recoveryHint} />}
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!cart && !error && <Loading label={i18n._('Opening the cart')} />}
      {cart && !selling && (
        <Empty title={i18n._('The cart is empty')}>{i18n._('Search for a product and press Enter to add it.')}</Empty>
      )}
      {selling && (
        <Checkout
          key={selling.cartId}
          cart={selling}
          submit={submit}
          onSold={(receipt) => {
            setLast({ cartId: selling.cartId, receipt });
            onSold();
          }}
        />
      )}
      {picking && (
        <CustomerPicker
          fulfilment={fulfilment}
          onClose={() => onPick(false)}
          onChosen={toSearch}
          onNew={
            mayAdd
              ? (name) => {
                  onPick(false);
                  setAdding(name);
                }
              : undefined
          }
        />
      )}
      {adding !== undefined &&
        newCustomer({
          name: adding,
          address: (fulfilment ?? 'deliver') === 'deliver', // whose cart it is, is delivered to unless it says otherwise
          onClose: () => setAdding(undefined),
          onCreated: (customerId) => {
            setAdding(undefined);
            setCustomer.mutate({ customerId, fulfilment }, { onSuccess: () => toSearch() });
          },
        })}
    </section>
  );
}

/** What was last written down about the customer of the cart, to be seen while they are served. */
function CustomerNotes({ customerId }: { customerId: string }) {
  const { data } = useCapability('customer.get', { customerId }, { source: 'CustomerNotes' });
  if (data?.id !== customerId || data.notes.length === 0) return null;
  return (
    <ul className={classes.notes} aria-label={i18n._('Notes')}>
      {data.notes.slice(0, 2).map(({ id, text }) => (
        <li key={id}>
          <Text size="xs" lineClamp={2}>
            {text}
          </Text>
        </li>
      ))}
    </ul>
  );
}

/** What is put into the cart when the link is back. */
function WaitingList() {
  const waiting = useWaiting();
  if (waiting.length === 0) return null;
  return (
    <section className={classes.waiting} aria-label={i18n._('Waits for the link')}>
      <Text size="sm" fw={600}>
        {i18n._('Waits for the link')}
      </Text>
      <ul>
        {waiting.map(({ key, args, name }) => (
          <li key={key}>
            <Text size="sm" truncate>
              {args.quantity} × {name}
            </Text>
            <IconAction label={i18n._('Leave out {name}', { name })} onClick={() => removeWaiting(key)}>
              <IconX size={14} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
    </section>
  );
}
