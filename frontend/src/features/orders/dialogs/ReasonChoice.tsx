import { NativeSelect } from '@mantine/core';
import type { KeyboardEvent } from 'react';
import { enumOf } from '../../../bridge/schema';
import { i18n } from '../../../language/i18n';
import { useEntry } from '../../../queries/useManifest';
import { type ReturnReason, returnReasons } from '../../../shop/vocabulary';
import { ErrorAt } from '../../../ui/form/FieldErrors';

interface ReasonChoiceProps {
  of: 'order.return' | 'order.exchange';
  value: ReturnReason | null;
  onChange: (reason: ReturnReason | null) => void;
  /** It takes the focus when its dialog opens. */
  first?: boolean;
}

/** Enter sends the form, as it does from its other fields. */
function sendOnEnter(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter') return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}

/** Chooses why something comes back. It is the system's own list: a letter typed into it chooses. */
export function ReasonChoice({ of, value, onChange, first }: ReasonChoiceProps) {
  const reasons = enumOf<ReturnReason>(useEntry(of)?.input_schema, 'reason');
  return (
    <ErrorAt pointer="/reason">
      <NativeSelect
        data-autofocus={first || undefined}
        size="xs"
        label={i18n._('Reason')}
        data={[
          { value: '', label: i18n._('Choose one') },
          ...reasons.map((reason) => ({ value: reason, label: returnReasons[reason] })),
        ]}
        value={value ?? ''}
        onKeyDown={sendOnEnter}
        onChange={(event) => onChange(reasons.find((reason) => reason === event.currentTarget.value) ?? null)}
      />
    </ErrorAt>
  );
}
