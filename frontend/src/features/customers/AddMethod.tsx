import { Checkbox, Group, TextInput } from '@mantine/core';
import { enumOf } from '../../bridge/schema';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry } from '../../queries/useManifest';
import { useCurrency } from '../../shop/currency';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { Select } from '../../ui/form/Select';
import { useForm } from '../../ui/form/useForm';
import { kindText, type MethodDraft, type MethodKind, methodMissing, methodSent } from './addressesAndMethods';

/** The fields not kept while they are typed: the digits of a card, the balance of a gift card. */
const unsaid: Pick<MethodDraft, 'lastFour' | 'balance'> = { lastFour: '', balance: undefined };

/** Saves one more way to pay for a customer; a card by its brand and last digits, never its number. */
export function AddMethod({ customerId, onClose }: { customerId: string; onClose: () => void }) {
  const kinds = enumOf<MethodKind>(useEntry('customer.addPaymentMethod')?.input_schema, 'kind');
  const currency = useCurrency();
  const said = useForm<Omit<MethodDraft, keyof typeof unsaid>>(`method of ${customerId}`, {
    ...{ kind: 'card', brand: '', preferred: false },
  });
  const typed = useForm(undefined, unsaid);
  const draft: MethodDraft = { ...said.values, ...typed.values };
  const { change } = said;
  const add = useInvoke('customer.addPaymentMethod', { source: 'AddMethod', once: `method of ${customerId}` });
  return (
    <FormDialog
      title={i18n._('Add a payment method')}
      submit={i18n._('Add the payment method')}
      disabledReason={methodMissing(draft)}
      call={add}
      onSubmit={() => currency && add.mutate(methodSent(draft, customerId, currency), { onDone: onClose })}
      onClose={onClose}
    >
      <ErrorAt pointer="/kind">
        <Select
          data-autofocus
          label={i18n._('Kind')}
          data={kinds.map((value) => ({ value, label: kindText(value) }))}
          value={draft.kind}
          allowDeselect={false}
          onChange={(kind) => kind && change({ kind })}
        />
      </ErrorAt>
      {draft.kind === 'card' && (
        <Group grow align="start" gap="sm">
          <ErrorAt pointer="/brand">
            <TextInput
              label={i18n._('Brand')}
              withAsterisk
              placeholder={i18n._('Visa')}
              value={draft.brand}
              onChange={(event) => change({ brand: event.currentTarget.value })}
            />
          </ErrorAt>
          <ErrorAt pointer="/lastFour">
            <TextInput
              maxLength={4}
              label={i18n._('Last four digits')}
              withAsterisk
              inputMode="numeric"
              value={draft.lastFour}
              onChange={(event) => typed.change({ lastFour: event.currentTarget.value })}
            />
          </ErrorAt>
        </Group>
      )}
      {draft.kind === 'giftCard' && currency && (
        <ErrorAt pointer="/balance">
          <MoneyInput
            label={i18n._('Balance')}
            required
            currency={currency}
            onChange={(balance) => typed.change({ balance })}
          />
        </ErrorAt>
      )}
      <Checkbox
        size="xs"
        label={i18n._('Use it unless another is named')}
        checked={draft.preferred}
        onChange={(event) => change({ preferred: event.currentTarget.checked })}
      />
    </FormDialog>
  );
}
