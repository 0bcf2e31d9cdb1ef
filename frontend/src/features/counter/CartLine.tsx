import { Text } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconX } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useUnsent } from '../../queries/unsent';
import { useInvoke } from '../../queries/useInvoke';
import { named } from '../../shop/lines';
import { IconAction } from '../../ui/form/IconAction';
import { NumberField } from '../../ui/form/NumberField';
import { SCANNED } from '../../ui/keys/useScans';
import classes from './Counter.module.css';
import { LineMenu } from './LineMenu';

type Line = Response<'cart.getSummary'>['items'][number];

const source = { source: 'CartLine' };

interface CartLineProps {
  cart: Response<'cart.getSummary'>;
  line: Line;
  /** Asks for another price. */
  onPrice: () => void;
}

/** One line of the cart; its quantity is set shortly after the last key, and none takes the line out. */
export function CartLine({ cart, line, onPrice }: CartLineProps) {
  const which = named(line);
  const name = [line.name, line.label].filter(Boolean).join(', ');
  const [draft, setDraft] = useState<number | undefined>(line.quantity);
  const setQuantity = useInvoke('cart.setQuantity', source);
  const remove = useInvoke('cart.removeItem', source);
  /** The quantity that was sent, until the cart shows what came of it. */
  const sending = useRef<{ quantity: number; sent: Promise<unknown>; done?: boolean }>(undefined);
  /** Whether a typed quantity was not sent yet: a change by another window does not replace it. */
  const typing = useRef(false);
  useEffect(() => {
    if (!typing.current) setDraft(line.quantity);
    if (sending.current?.done || sending.current?.quantity === line.quantity) sending.current = undefined;
  }, [line.quantity]);
  const commit = useDebouncedCallback((quantity: number | undefined) => {
    if (quantity === undefined) return; // its reason is at the field, or it is typed next
    typing.current = false;
    if (quantity === line.quantity) return;
    const sent = quantity === 0 ? remove.mutateAsync(which) : setQuantity.mutateAsync({ ...which, quantity });
    const mine: typeof sending.current = { quantity, sent };
    sending.current = mine;
    sent.then(
      () => {
        mine.done = true;
      },
      () => {
        setDraft(line.quantity);
        if (sending.current === mine) sending.current = undefined;
      },
    );
  }, 350);
  const field = useRef<HTMLInputElement>(null);
  useUnsent(async () => {
    if (draft === undefined) {
      field.current?.focus();
      throw new Error(i18n._('The quantity of {name} is no number.', { name })); // nothing is sold in its place
    }
    commit.flush();
    const { current } = sending;
    await current?.sent;
    return current !== undefined;
  });

  // It may be of this very line: what counts is the quantity that is known by then.
  useEffect(() => {
    const forget = (event: Event) => {
      event.preventDefault();
      commit.cancel();
      typing.current = false;
      setDraft(line.quantity);
    };
    const { current } = field;
    current?.addEventListener(SCANNED, forget);
    return () => current?.removeEventListener(SCANNED, forget);
  }, [commit, line.quantity]);

  const failure = setQuantity.error ?? remove.error;
  return (
    <li className={classes.line}>
      <div style={{ minWidth: 0 }}>
        <Text truncate fw={500}>
          {line.name}
        </Text>
        <Text size="xs" c="dimmed" truncate>
          {[line.label, i18n._('{price} each', { price: formatMoney(line.price) })].filter(Boolean).join(' · ')}
        </Text>
        {(line.listPrice || line.discount || line.note) && (
          <Text size="xs" style={{ overflowWrap: 'anywhere' }}>
            {[
              line.listPrice && i18n._('instead of {price}', { price: formatMoney(line.listPrice) }),
              line.priceReason,
              line.discount && i18n._('{amount} off', { amount: formatMoney(line.discount) }),
              line.discountReason,
              line.note && `“${line.note}”`,
            ]
              .filter(Boolean)
              .join(' · ')}
          </Text>
        )}
        {failure && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {failure.message}
          </Text>
        )}
      </div>
      <NumberField
        ref={field}
        aria-label={i18n._('Quantity of {name}', { name })}
        value={draft}
        min={0}
        replaced
        onChange={(quantity) => {
          typing.current = true;
          setDraft(quantity);
          commit(quantity);
        }}
        onBlur={({ currentTarget: { value } }) => {
          if (value.trim() !== '') return;
          typing.current = false;
          setDraft(line.quantity);
        }}
      />
      <Text className={classes.amount}>{formatMoney(line.total)}</Text>
      <LineMenu cart={cart} line={line} name={name} onPrice={onPrice} />
      <IconAction
        label={i18n._('Remove {name}', { name })}
        hint={i18n._('Remove')}
        onClick={() => remove.mutate(which)}
        loading={remove.isPending}
      >
        <IconX size={15} aria-hidden />
      </IconAction>
    </li>
  );
}
