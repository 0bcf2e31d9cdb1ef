import { Radio, Stack } from '@mantine/core';
import type { Response } from '../../bus/client';
import { formatMoney } from '../../ui/format';

interface MethodChoiceProps {
  label: string;
  methods: Response<'order.get'>['savedPaymentMethods'];
  value: string | undefined;
  onChange: (paymentMethodId: string) => void;
}

/** Chooses one of the ways a customer pays; a gift card says what is left on it. */
export function MethodChoice({ label, methods, value, onChange }: MethodChoiceProps) {
  return (
    <Radio.Group label={label} size="xs" value={value ?? null} onChange={onChange}>
      <Stack gap={8} mt={6}>
        {methods.map((method) => (
          <Radio
            key={method.id}
            size="xs"
            value={method.id}
            label={method.balance ? `${method.label} (${formatMoney(method.balance)} left)` : method.label}
          />
        ))}
      </Stack>
    </Radio.Group>
  );
}
