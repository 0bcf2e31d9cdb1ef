import { Kbd, Radio, Stack, Text, TextInput } from '@mantine/core';
import { useRef } from 'react';
import { useClient } from '../../asking/BusProvider';
import { sendUnsent } from '../../asking/unsent';
import type { useInvoke } from '../../asking/useInvoke';
import { useEntry, useFreshManifest } from '../../asking/useManifest';
import type { Response } from '../../door/capabilities';
import { entry as entryOf } from '../../door/manifest';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { useKeys } from '../../ui/keys/useKeys';
import { Problem } from '../../ui/page/Note';
import { useAgentContext } from '../../ui/window/useAgentContext';
import { useKept } from '../../ui/window/useKept';
import { CartLines } from './CartLines';
import classes from './Counter.module.css';
import { type Choices, selected, whyNot } from './checkout';
import { Totals } from './Totals';

const source = { source: 'Checkout' };

interface CheckoutProps {
  cart: Response<'cart.getSummary'>;
  submit: ReturnType<typeof useInvoke<'checkout.submit'>>;
  /** Called when it is an order. */
  onSold: (receipt: Response<'checkout.submit'>) => void;
}

/** The lines, the address and the payment of an order; below, always in view, the total and the button. */
export function Checkout({ cart, submit, onSold }: CheckoutProps) {
  const entry = useEntry('checkout.submit');
  const fresh = useFreshManifest();
  const client = useClient();
  const [choices = {}, setChoices] = useKept<Choices>(`checkout ${cart.cartId}`);
  const { giftMessage = '' } = choices;
  const choose = (choice: Choices) => setChoices({ ...choices, ...choice });
  const addressId = selected(cart.savedAddresses, choices.addressId);
  const methodId = selected(cart.savedPaymentMethods, choices.methodId);
  useAgentContext(() => ({
    step: 'checkout.submit',
    ids: [cart.cartId ?? ''],
    empty: [...(addressId ? [] : ['/shippingAddressId']), ...(methodId ? [] : ['/paymentMethodId'])],
  }));
  const reason = whyNot({ entry, problems: cart.problems, addressId, methodId });

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
  const sell = async () => {
    if (!addressId || !methodId || submit.isPending) return;
    // A quantity that was typed a moment ago is sold as it was typed, or not at all: its line says why.
    const total = await sendUnsent().then(
      async (sent) => (sent ? (await client.invoke('cart.getSummary', {}, source)).data.total : cart.total),
      () => undefined,
    );
    if (!total) return;
    // A quick hand is here before the manifest knows of the line it has just added.
    const now = reason ? entryOf(await fresh(), 'checkout.submit') : entry;
    if (whyNot({ entry: now, problems: cart.problems, addressId, methodId })) return;
    submit.mutate(
      {
        shippingAddressId: addressId,
        paymentMethodId: methodId,
        giftMessage: giftMessage.trim() || undefined,
        expectedTotal: { amount: total.amount, currency: total.currency },
      },
      {
        onSuccess: ({ data }) => {
          setChoices(undefined);
          onSold(data);
        },
      },
    );
  };
  const choicesPart = useRef<HTMLDivElement>(null);
  const toChoices = () => {
    const radios = choicesPart.current?.querySelectorAll<HTMLInputElement>('input[type=radio]') ?? [];
    const first = [...radios].find(({ checked }) => checked) ?? radios[0];
    first?.focus();
  };
  useKeys({ F4: toChoices, F9: go });

  return (
    <>
      <div className={classes.order}>
        <CartLines lines={cart.items} />
        <div ref={choicesPart} className={classes.choices}>
          {cart.savedAddresses.length > 0 && (
            <Radio.Group
              label={
                <>
                  {i18n._('Send to')} <Kbd aria-hidden>F4</Kbd>
                </>
              }
              value={addressId ?? null}
              onChange={(id) => choose({ addressId: id })}
            >
              <Stack gap={8} mt={6}>
                {cart.savedAddresses.map(({ id, label, text }) => (
                  <Radio key={id} size="xs" value={id} label={label ? `${label}: ${text}` : text} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          {cart.savedPaymentMethods.length > 0 && (
            <Radio.Group label={i18n._('Paid by')} value={methodId ?? null} onChange={(id) => choose({ methodId: id })}>
              <Stack gap={8} mt={6}>
                {cart.savedPaymentMethods.map(({ id, label }) => (
                  <Radio key={id} size="xs" value={id} label={label} />
                ))}
              </Stack>
            </Radio.Group>
          )}
          <TextInput
            label={i18n._('Gift message')}
            placeholder={i18n._('Optional')}
            value={giftMessage}
            onChange={(event) => choose({ giftMessage: event.currentTarget.value })}
          />
        </div>
        <Totals cart={cart} />
      </div>
      <Stack className={classes.submit} gap="xs">
        <div className={classes.total}>
          <span>{i18n._('Total')}</span>
          <span className={classes.amount}>{formatMoney(cart.total)}</span>
        </div>
        {submit.error && <Problem message={submit.error.message} hint={submit.error.recoveryHint} />}
        <Text size="xs" c="dimmed">
          {reason ?? i18n._('The payment is recorded here; no money moves.')}
        </Text>
        <ActionButton
          fullWidth
          size="sm"
          onClick={go}
          loading={submit.isPending}
          disabledReason={reason}
          shortcut="F9"
          rightSection={<Kbd>F9</Kbd>}
        >
          {i18n._('Submit order · {total}', { total: formatMoney(cart.total) })}
        </ActionButton>
      </Stack>
    </>
  );
}
