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
  /** The variant exists already: other dialogs set its price and stock. */
  exists?: boolean;
  onChange: (part: Partial<VariantDraft>) => void;
}

/** The fields of a variant: a value for each option, its codes and, of a new one, price and stock. */
export function VariantFields({ at, names, draft, currency, exists = false, onChange }: VariantFieldsProps) {
  return (
    <>
      {names.map((name, index) => (
        <ErrorAt key={name} pointer={optionAt(at, name)}>
          <TextInput
            data-autofocus={index === 0 || undefined}
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
      {!exists && currency && (
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
      {!exists && (
        <ErrorAt pointer={`${at}/stock`}>
          <NumberField
            label={i18n._('In stock')}
            placeholder={i18n._('Not counted')}
            min={0}
            value={draft.stock}
            onChange={(stock) => onChange({ stock })}
          />
        </ErrorAt>
      )}
    </>
  );
}
