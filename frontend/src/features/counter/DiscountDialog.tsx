import { TextInput } from '@mantine/core';
import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { named } from '../../shop/lines';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { NumberField } from '../../ui/form/NumberField';
import { Segments } from '../../ui/form/Segments';
import { useForm } from '../../ui/form/useForm';

type Cart = Response<'cart.getSummary'>;

/** The values of the form of a discount. */
interface Discount {
  as: 'percent' | 'amount';
  percent?: number;
  amount?: number;
  reason: string;
}

interface DiscountDialogProps {
  cart: Cart;
  /** The line that it is of; absent: the whole cart. */
  line?: Cart['items'][number];
  onClose: () => void;
}

/** Gives a discount, in percent or as an amount, on the cart or one line; nothing takes the one there is off. */
export function DiscountDialog({ cart, line, onClose }: DiscountDialogProps) {
  const source = { source: 'DiscountDialog', once: true };
  const { values, change } = useForm<Discount>(undefined, { as: 'percent', reason: '' });
  const { as, percent, amount, reason } = values;
  const ofCart = useInvoke('cart.applyDiscount', source);
  const ofLine = useInvoke('cart.setLineDiscount', source);
  const remove = useInvoke('cart.removeDiscount', source);
  const { currency } = cart.total;
  const off = as === 'percent' ? { percent } : { amount: { amount: amount ?? 0, currency } };
  const given = ((as === 'percent' ? percent : amount) ?? 0) > 0;
  const has = line
    ? line.discount !== undefined
    : cart.discountPercent !== undefined || cart.discountReason !== undefined;
  const nothing = as === 'percent' ? !percent : amount === undefined;
  const call = line ? ofLine : nothing && has ? remove : ofCart;
  const save = () => {
    const then = { onDone: onClose };
    const terms = { ...off, reason: reason.trim() || undefined };
    if (line) ofLine.mutate({ ...named(line), ...(given ? terms : { none: true }) }, then);
    else if (given) ofCart.mutate(terms, then);
    else remove.mutate({}, then);
  };
  return (
    <FormDialog
      title={line ? i18n._('Discount on {name}', { name: line.name }) : i18n._('Discount on the cart')}
      submit={!given && has ? i18n._('Take the discount off') : i18n._('Give the discount')}
      disabledReason={given || (nothing && has) ? undefined : i18n._('Say how much is taken off.')}
      call={call}
      onSubmit={save}
      onClose={onClose}
    >
      <Segments
        label={i18n._('Discount')}
        value={as}
        choices={[
          { value: 'percent', label: i18n._('Percent') },
          { value: 'amount', label: currency },
        ]}
        onChange={(next) => change({ as: next })}
      />
      {as === 'percent' ? (
        <ErrorAt pointer="/percent">
          <NumberField
            data-autofocus
            label={i18n._('Percent')}
            {...{ min: 0, max: 100, unit: '%' }}
            rightSection="%"
            value={percent}
            onChange={(next) => change({ percent: next })}
          />
        </ErrorAt>
      ) : (
        <ErrorAt pointer="/amount">
          <MoneyInput
            label={i18n._('Amount')}
            {...{ currency, value: amount }}
            onChange={(next) => change({ amount: next })}
          />
        </ErrorAt>
      )}
      <ErrorAt pointer="/reason">
        <TextInput
          label={i18n._('Reason')}
          placeholder={i18n._('Optional')}
          value={reason}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}
