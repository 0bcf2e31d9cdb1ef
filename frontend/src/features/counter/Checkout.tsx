import { Stack, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import type { Response } from '../../bridge/capabilities';
import { entry as entryOf } from '../../bridge/manifest';
import { type Amount, formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useSettled } from '../../queries/unsent';
import { type useInvoke, usePreview } from '../../queries/useInvoke';
import { useEntry, useFreshManifest } from '../../queries/useManifest';
import { roundingOf, sumsOf } from '../../shop/sums';
import { ActionButton } from '../../ui/form/ActionButton';
import { useKeys } from '../../ui/keys/useKeys';
import { Problem } from '../../ui/page/Note';
import { useAgentContext } from '../../ui/window/useAgentContext';
import { useKept } from '../../ui/window/useKept';
import { CartLines } from './CartLines';
import classes from './Counter.module.css';
import { type Choices, checkoutArguments, dueOf, isCash, methodOf, payingOf, selected, whyNot } from './checkout';
import { Delivery } from './Delivery';
import { Fulfilment } from './Fulfilment';
import { Payment } from './Payment';
import { useOptimistic } from './useOptimistic';

const source = { source: 'Checkout' };

interface CheckoutProps {
  cart: Response<'cart.getSummary'>;
  submit: ReturnType<typeof useInvoke<'checkout.submit'>>;
  /** Called when it is an order. */
  onSold: (receipt: Response<'checkout.submit'>) => void;
}

/** The lines, how the buyer gets them and pays; below, always in view, the total and the button. */
export function Checkout({ cart, submit, onSold }: CheckoutProps) {
  const entry = useEntry('checkout.submit');
  const fresh = useFreshManifest();
  const client = useClient();
  const settled = useSettled();
  const [choices = {}, setChoices] = useKept<Choices>(`checkout ${cart.cartId}`);
  const choose = (choice: Choices) => setChoices((now) => ({ ...now, ...choice }));
  const addressId = selected(cart.savedAddresses, choices.addressId);
  const method = methodOf(cart, choices.methodId);
  const sent = cart.fulfilment === 'deliver';
  const fulfilment = useOptimistic(cart.fulfilment);
  const shipping = useOptimistic(cart.shippingMethod?.id);
  useAgentContext(() => ({
    step: 'checkout.submit',
    ids: [cart.cartId ?? ''],
    empty: [...(sent && !addressId ? ['/shippingAddressId'] : []), ...(method ? [] : ['/paymentMethodId'])],
  }));
  const paying = payingOf(cart, choices, method);
  const isPart = paying.length > 1 && paying.every(({ amount }) => amount) && paying.some((one) => isCash(one.method));
  const { tendered: _, ...parts } = checkoutArguments({ cart, choices, addressId, method });
  const preview = usePreview('checkout.submit', isPart ? parts : undefined, source.source).data;
  const due = dueOf(cart, paying, preview);
  const reason = whyNot({ cart, choices, addressId, method, entry, preview });

  const going = useRef(false);
  const go = async () => {
    if (going.current) return;
    going.current = true;
    try {
      await sell();
    } finally {
      going.current = false;
    }
  };
  /** The cart when every change under way has its answer; undefined where the screen shows another one. */
  const asShown = async () => {
    const changed = await settled('cart');
    if (!changed && !fulfilment.isChosen && !shipping.isChosen) return cart;
    const { data } = await client.invoke('cart.getSummary', {}, source);
    const isSame =
      data.fulfilment === fulfilment.value && (!shipping.isChosen || data.shippingMethod?.id === shipping.value);
    if (isSame) return data;
    fulfilment.show(undefined);
    shipping.show(undefined);
    return undefined;
  };
  const sell = async () => {
    if (!method || submit.isPending) return;
    const sold = await asShown().catch(() => undefined); // the part of the page that was refused says why
    const pays = sold && methodOf(sold, method.id);
    if (!sold || pays?.id !== method.id) return;
    const order = { cart: sold, choices, addressId: selected(sold.savedAddresses, addressId), method: pays };
    // A quick hand is here before the manifest knows of the line it has just added.
    const now = reason ? entryOf(await fresh(), 'checkout.submit') : entry;
    if (whyNot({ ...order, entry: now, preview: sold === cart ? preview : undefined })) return;
    await new Promise<void>((ended) => {
      submit.mutate(checkoutArguments(order), {
        onSuccess: ({ data }) => {
          ended();
          setChoices(undefined);
          onSold(data);
        },
        onError: () => ended(),
      });
    });
  };
  const payment = useRef<HTMLDivElement>(null);
  const delivery = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  // To where it goes, to what pays, and then from one method to the next.
  const toChoices = () => {
    const at = document.activeElement;
    const paying = at === button.current || payment.current?.contains(at);
    const radios = delivery.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [];
    const address = [...radios].find(({ checked }) => checked) ?? radios[0];
    if (address && !paying && !delivery.current?.contains(at)) {
      address.focus();
      return;
    }
    const methods = cart.savedPaymentMethods;
    const now = methods.findIndex(({ id }) => id === method?.id);
    const next = paying ? (now + 1) % methods.length : now;
    payment.current?.querySelectorAll<HTMLElement>('[role=group] button')[next]?.click();
  };
  useKeys({
    F4: { does: i18n._('What pays, and the next method'), act: toChoices },
    F9: { does: i18n._('Sell, or submit the order'), act: go },
  });

  return (
    <>
      <div className={classes.order}>
        <CartLines cart={cart} />
        <div className={classes.choices}>
          <Fulfilment shown={fulfilment} />
          {sent && <Delivery ref={delivery} {...{ cart, addressId, shipping }} onChoose={choose} />}
          {sent && (
            <TextInput
              label={i18n._('Gift message')}
              placeholder={i18n._('Optional')}
              value={choices.giftMessage ?? ''}
              onChange={(event) => choose({ giftMessage: event.currentTarget.value })}
            />
          )}
        </div>
        <Payment
          ref={payment}
          cart={cart}
          choices={choices}
          method={method}
          due={due}
          onChoose={choose}
          onChosen={() => button.current?.focus()}
          onSell={go}
        />
        {cart.note && (
          <Text size="sm" className={classes.note}>
            “{cart.note}”
          </Text>
        )}
        <Totals cart={cart} rounding={due.rounding} />
      </div>
      <Stack className={classes.submit} gap="xs">
        <div className={classes.total}>
          <span>{i18n._('Total')}</span>
          <span className={classes.amount}>{formatMoney(due.all)}</span>
        </div>
        {submit.error && <Problem message={submit.error.message} hint={submit.error.recoveryHint} />}
        <Text size="xs" c="dimmed">
          {reason ?? i18n._('The payment is recorded here; no money moves.')}
        </Text>
        <ActionButton
          ref={button}
          fullWidth
          size="sm"
          onClick={go}
          loading={submit.isPending}
          disabledReason={reason}
          onTry={go}
          aria-keyshortcuts="F9"
          rightSection={<kbd>F9</kbd>}
        >
          {cart.fulfilment === 'takeAway'
            ? i18n._('Sell · {total}', { total: formatMoney(due.all) })
            : i18n._('Submit order · {total}', { total: formatMoney(due.all) })}
        </ActionButton>
      </Stack>
    </>
  );
}

/** The parts of the payment. */
function Totals({ cart, rounding }: { cart: Response<'cart.getSummary'>; rounding: Amount | undefined }) {
  return (
    <dl className={classes.totals}>
      {[...sumsOf(cart), ...roundingOf(rounding)].map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{amount}</dd>
        </div>
      ))}
    </dl>
  );
}
