import { Radio, Stack } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { formatMoney } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { ErrorAt } from '../../../ui/form/FieldErrors';

interface MethodChoiceProps {
  label: string;
  methods: Response<'order.get'>['savedPaymentMethods'];
  value: string | undefined;
  onChange: (paymentMethodId: string) => void;
}

/** Chooses one of the ways a customer pays; a gift card says what is left on it. */
export function MethodChoice({ label, methods, value, onChange }: MethodChoiceProps) {
  return (
    <ErrorAt pointer="/paymentMethodId">
      <Radio.Group label={label} size="xs" value={value ?? null} onChange={onChange}>
        <Stack gap={8} mt={6}>
          {methods.map((method) => (
            <Radio
              key={method.id}
              size="xs"
              value={method.id}
              label={
                method.balance
                  ? i18n._('{method} ({amount} left)', { method: method.label, amount: formatMoney(method.balance) })
                  : method.label
              }
            />
          ))}
        </Stack>
      </Radio.Group>
    </ErrorAt>
  );
}
