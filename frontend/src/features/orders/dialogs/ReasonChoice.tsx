import { type OptionsFilter, Select } from '@mantine/core';
import { useEntry } from '../../../asking/useManifest';
import { enumOf } from '../../../door/schema';
import { i18n } from '../../../language/i18n';
import { type ReturnReason, returnReasons } from '../../../shop/vocabulary';
import { ErrorAt } from '../../../ui/form/FieldErrors';

const byFirstLetters: OptionsFilter<ReturnReason> = ({ options, search }) => {
  const typed = search.trim().toLocaleLowerCase();
  return options.filter((option) => 'label' in option && option.label.toLocaleLowerCase().startsWith(typed));
};

interface ReasonChoiceProps {
  of: 'order.return' | 'order.exchange';
  value: ReturnReason | null;
  onChange: (reason: ReturnReason | null) => void;
}

/** Chooses why something comes back, by its first letters too. */
export function ReasonChoice({ of, value, onChange }: ReasonChoiceProps) {
  const reasons = enumOf<ReturnReason>(useEntry(of)?.input_schema, 'reason');
  return (
    <ErrorAt pointer="/reason">
      <Select
        label={i18n._('Reason')}
        placeholder={i18n._('Choose one')}
        searchable
        filter={byFirstLetters}
        selectFirstOptionOnChange
        autoSelectOnBlur
        data={reasons.map((reason) => ({ value: reason, label: returnReasons[reason] }))}
        value={value}
        onChange={onChange}
      />
    </ErrorAt>
  );
}
