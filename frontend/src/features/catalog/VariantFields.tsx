import { TextInput } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { NumberField } from '../../ui/form/NumberField';
import { optionAt, type VariantDraft } from './draft';

interface VariantFieldsProps {
  /** The JSON pointer of the variant in the request. */
  at: string;
  names: readonly string[];
  draft: VariantDraft;
  currency: string | undefined;
  onChange: (part: Partial<VariantDraft>) => void;
}

/** The fields of a new variant: a value for each option, its codes, price and stock. */
export function VariantFields({ at, names, draft, currency, onChange }: VariantFieldsProps) {
  return (
    <>
      {names.map((name) => (
        <ErrorAt key={name} pointer={optionAt(at, name)}>
          <TextInput
            label={name}
            withAsterisk
            value={own(draft.values, name) ?? ''}
            onChange={({ currentTarget: { value } }) => onChange({ values: { ...draft.values, [name]: value } })}
          />
        </ErrorAt>
      ))}
      <ErrorAt pointer={`${at}/sku`}>
        <TextInput
          label={i18n._('SKU')}
          data-codes
          value={draft.sku}
          onChange={(event) => onChange({ sku: event.currentTarget.value })}
        />
      </ErrorAt>
      <ErrorAt pointer={`${at}/barcode`}>
        <TextInput
          label={i18n._('Barcode')}
          data-codes
          value={draft.barcode}
          onChange={(event) => onChange({ barcode: event.currentTarget.value })}
        />
      </ErrorAt>
      {currency && (
        <ErrorAt pointer={`${at}/price`}>
          <MoneyInput
            label={i18n._('Price')}
            required
            currency={currency}
            value={draft.price}
            onChange={(price) => onChange({ price })}
          />
        </ErrorAt>
      )}
      <ErrorAt pointer={`${at}/stock`}>
        <NumberField
          label={i18n._('In stock')}
          placeholder={i18n._('Not counted')}
          min={0}
          value={draft.stock}
          onChange={(stock) => onChange({ stock })}
        />
      </ErrorAt>
    </>
  );
}
