import type { FieldProps } from '@rjsf/utils';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { useCurrency } from '../domain';

/** An amount as the form has it: null is text that is none. */
interface Typed {
  amount?: number | null;
  currency?: string;
}

/** A field for money: people type an amount as they write it, in the currency at hand. */
export function MoneyField(props: FieldProps<Typed>) {
  const { formData, schema, required, errorSchema, rawErrors = [], fieldPathId, onChange, registry } = props;
  const usual = useCurrency();
  const { ObjectField } = registry.fields;
  const { amount, currency = usual } = formData ?? {};
  if (currency === undefined) return ObjectField && <ObjectField {...props} />;
  const errors = [...rawErrors, ...(errorSchema?.amount?.__errors ?? []), ...(errorSchema?.currency?.__errors ?? [])];
  const set = (minor: number | undefined, typed: string) => {
    const none = typed.trim() === '' && !required;
    onChange(none ? undefined : { amount: minor ?? null, currency }, fieldPathId.path); // no amount is refused
  };
  return (
    <MoneyInput
      label={schema.title}
      description={schema.description}
      value={amount ?? undefined}
      error={errors.join('; ')}
      {...{ currency, required }}
      onChange={set}
    />
  );
}
