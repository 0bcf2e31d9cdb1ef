import { Text } from '@mantine/core';
import { formatMoney } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { useForm } from '../../ui/form/useForm';
import { type Variant, variantName } from './product';

/** Sets the price of a variant. */
export function SetPrice({ variant, onClose }: { variant: Variant; onClose: () => void }) {
  const { amount: was, currency } = variant.price;
  const { values, change } = useForm<{ amount: number | undefined }>(undefined, { amount: was });
  const { amount } = values;
  const set = useInvoke('catalog.setPrice', { source: 'SetPrice' });
  const same = amount === was ? i18n._('It costs that already.') : undefined;
  return (
    <FormDialog
      title={i18n._('Price of {name}', { name: variantName(variant) })}
      submit={i18n._('Set the price')}
      disabledReason={amount === undefined ? i18n._('Type an amount first.') : same}
      call={set}
      onSubmit={() =>
        amount !== undefined && set.mutate({ variantId: variant.id, price: { amount, currency } }, { onDone: onClose })
      }
      onClose={onClose}
    >
      <ErrorAt pointer="/price">
        <MoneyInput
          autoFocus
          label={i18n._('New price')}
          currency={currency}
          value={amount}
          onChange={(next) => change({ amount: next })}
        />
      </ErrorAt>
      <Text size="xs" c="dimmed">
        {i18n._('Now {price}. Open carts follow at once; orders already placed keep what they cost.', {
          price: formatMoney(variant.price),
        })}
      </Text>
    </FormDialog>
  );
}
