import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { NumberField } from '../../../ui/form/NumberField';
import { useForm } from '../../../ui/form/useForm';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';

type LimitSettings = NonNullable<Response<'settings.get'>['limits']>;

/** The largest discount and refund of a clerk without a manager. */
export function Limits() {
  return (
    <SavedSection section="limits">
      {({ limits }, save) => limits && <LimitsForm save={save} known={limits} />}
    </SavedSection>
  );
}

interface Draft {
  /** Null: nothing is typed, or nothing that is one. */
  percent: number | null;
  amount: number | null;
}

function LimitsForm({ known, save }: { known: LimitSettings; save: SaveSettings }) {
  const { currency, amount: was } = known.refund;
  const { values: draft, change } = useForm<Draft>('settings limits', { percent: known.discountPercent, amount: was });
  const { percent, amount } = draft;
  const whole = percent !== null && amount !== null;
  const values = whole && {
    ...(percent !== known.discountPercent && { discountPercent: percent }),
    ...(amount !== was && { refund: { amount, currency } }),
  };
  const same = values && Object.keys(values).length === 0 ? i18n._('Nothing is changed yet.') : undefined;
  return (
    <SectionForm
      title={i18n._('What a clerk may give away')}
      disabledReason={whole ? same : i18n._('Fill in both.')}
      save={save}
      onSave={() => values && save.mutate({ section: 'limits', values })}
    >
      <ErrorAt pointer="/values/discountPercent">
        <NumberField
          label={i18n._('Discount, in percent')}
          min={0}
          max={100}
          value={percent ?? undefined}
          onChange={(next) => change({ percent: next ?? null })}
        />
      </ErrorAt>
      <ErrorAt pointer="/values/refund">
        <MoneyInput
          label={i18n._('Refund at once')}
          currency={currency}
          value={amount ?? undefined}
          onChange={(next) => change({ amount: next ?? null })}
        />
      </ErrorAt>
    </SectionForm>
  );
}
