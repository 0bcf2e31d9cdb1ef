import { Button, Group, Input, Kbd, Text } from '@mantine/core';
import { type Ref, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Response } from '../../bridge/capabilities';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { MoneyInput } from '../../ui/form/MoneyInput';
import classes from './Counter.module.css';
import { type Choices, changeOf, isCash, type Method } from './checkout';

interface PaymentProps {
  ref: Ref<HTMLDivElement>;
  cart: Response<'cart.getSummary'>;
  choices: Choices;
  method: Method | undefined;
  onChoose: (choice: Choices) => void;
  /** Called when nothing more is asked for: the order can be submitted. */
  onChosen: () => void;
  /** Sells, from the field. */
  onSell: () => void;
}

/** What pays. Cash asks what is handed over, and tells the change. */
export function Payment({ ref, cart, choices, method, onChoose, onChosen, onSell }: PaymentProps) {
  const field = useRef<HTMLDivElement>(null);
  const pick = (picked: Method) => {
    flushSync(() => onChoose({ methodId: picked.id }));
    if (isCash(picked)) field.current?.querySelector('input')?.focus();
    else onChosen();
  };
  const change = changeOf(cart, choices);
  return (
    <div ref={ref}>
      <Input.Wrapper label={i18n._('Paid by')} labelElement="div">
        <Group role="group" aria-label={i18n._('Paid by')} gap={6} mt={4}>
          {cart.savedPaymentMethods.map((one, index) => (
            <Button
              key={one.id}
              size="compact-sm"
              variant={one === method ? 'light' : 'default'}
              aria-pressed={one === method}
              rightSection={index === 0 && cart.fulfilment !== 'deliver' ? <Kbd aria-hidden>F4</Kbd> : undefined}
              onClick={() => pick(one)}
            >
              {one.label}
            </Button>
          ))}
        </Group>
      </Input.Wrapper>
      {isCash(method) && (
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
