import { Button, Group, Input, Text } from '@mantine/core';
import { type Ref, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import classes from './Counter.module.css';
import { type Choices, changeOf, type Due, isCash, type Method, payingOf, restMethods } from './checkout';

interface PaymentProps {
  ref: Ref<HTMLDivElement>;
  cart: Response<'cart.getSummary'>;
  choices: Choices;
  method: Method | undefined;
  due: Due;
  onChoose: (choice: Choices) => void;
  /** Called when nothing more is asked for: the order can be submitted. */
  onChosen: () => void;
  /** Sells, from a field. */
  onSell: () => void;
}

const PART = 'F11';

/** The payment methods, for all or a part. Cash asks for the amount handed over, and tells the change. */
export function Payment({ ref, cart, choices, method, due, onChoose, onChosen, onSell }: PaymentProps) {
  const field = useRef<HTMLDivElement>(null);
  const parts = useRef<HTMLDivElement>(null);
  const pick = (choice: Choices, picked: Method) => {
    flushSync(() => onChoose(choice));
    if (isCash(picked)) field.current?.querySelector('input')?.focus();
    else onChosen();
  };
  const { part } = choices;
  const paying = payingOf(cart, choices, method);
  const change = changeOf(due, choices.tendered);
  const { amount: left } = paying[1] ?? {};
  const rest = left === undefined ? undefined : formatMoney({ amount: left, currency: cart.total.currency });
  const restText = rest ? i18n._('The rest, {rest}, by', { rest }) : i18n._('The rest by');
  const toPart = () => {
    if (restMethods(cart, method).length === 0) return;
    flushSync(() => onChoose({ part: part ? undefined : {} }));
    parts.current?.querySelector('input')?.focus();
  };
  useKeys({ [PART]: { does: i18n._('Pays a part, another method the rest'), act: toPart } });
  return (
    <div ref={ref} className={classes.payment}>
      <Group justify="space-between" gap={6}>
        <Input.Label labelElement="div">{i18n._('Paid by')}</Input.Label>
        <Button
          size="compact-sm"
          variant={part ? 'light' : 'subtle'}
          aria-pressed={part !== undefined}
          aria-keyshortcuts={PART}
          rightSection={<kbd>{PART}</kbd>}
          disabled={restMethods(cart, method).length === 0}
          onClick={toPart}
        >
          {i18n._('Only a part')}
        </Button>
      </Group>
      <Group role="group" aria-label={i18n._('Paid by')} gap={6} mt={4}>
        {cart.savedPaymentMethods.map((one, index) => (
          <Button
            key={one.id}
            size="compact-sm"
            variant={one === method ? 'light' : 'default'}
            aria-pressed={one === method}
            {...keyed(index === 0 && cart.fulfilment !== 'deliver' ? 'F4' : undefined)}
            onClick={() => (part ? onChoose({ methodId: one.id }) : pick({ methodId: one.id }, one))}
          >
            {one.label}
          </Button>
        ))}
      </Group>
      {part && (
        <div ref={parts} className={classes.tendered}>
          <MoneyInput
            key={cart.cartId}
            label={i18n._('{method} pays', { method: method?.label ?? '' })}
            currency={cart.total.currency}
            value={part.amount}
            onChange={(amount) => onChoose({ part: { ...part, amount } })}
            onEnter={onSell}
          />
          <Input.Wrapper label={restText} labelElement="div">
            <Group role="group" aria-label={i18n._('The rest by')} gap={6} mt={4}>
              {restMethods(cart, method).map((one) => (
                <Button
                  key={one.id}
                  size="compact-sm"
                  variant={one === paying[1]?.method ? 'light' : 'default'}
                  aria-pressed={one === paying[1]?.method}
                  onClick={() => pick({ part: { ...part, restId: one.id } }, one)}
                >
                  {one.label}
                </Button>
              ))}
            </Group>
          </Input.Wrapper>
        </div>
      )}
      {paying.some((one) => isCash(one.method)) && (
        <div ref={field} className={classes.tendered}>
          <MoneyInput
            key={cart.cartId}
            label={i18n._('Handed over')}
            currency={cart.total.currency}
            value={choices.tendered !== undefined && choices.tendered >= 0 ? choices.tendered : undefined}
            onChange={(tendered, typed) => onChoose({ tendered: typed.trim() === '' ? undefined : (tendered ?? -1) })}
            onEnter={onSell}
          />
          <div>
            <Text size="xs" c="dimmed">
              {i18n._('Change due')}
            </Text>
            <Text fw={600} className={classes.change} role="status" aria-label={i18n._('Change due')}>
              {change === undefined ? '–' : formatMoney(change)}
            </Text>
          </div>
        </div>
      )}
    </div>
  );
}
