import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { NumberField } from '../../../ui/form/NumberField';
import { useDraftOver } from '../../../ui/form/useDraftOver';
import { Reading } from '../../../ui/page/Reading';
import { type SaveSettings, SectionForm } from '../SectionForm';

type LimitSettings = NonNullable<Response<'settings.get'>['limits']>;

/** The largest discount and refund of a clerk without a manager. */
export function Limits() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section: 'limits' }, { source: 'Settings' });
  const { data } = read;
  if (!data?.limits) return <Reading label={i18n._('Reading the settings')} of={read} />;
  return <LimitsForm save={save} known={data.limits} />;
}

interface Draft {
  /** Null: nothing is typed, or nothing that is one. */
  percent: number | null;
  amount: number | null;
}

function LimitsForm({ known, save }: { known: LimitSettings; save: SaveSettings }) {
  const { currency, amount: was } = known.refund;
  const [draft, setDraft] = useDraftOver<Draft>('settings limits', { percent: known.discountPercent, amount: was });
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
          onChange={(next) => setDraft({ ...draft, percent: next ?? null })}
        />
      </ErrorAt>
      <ErrorAt pointer="/values/refund">
        <MoneyInput
          label={i18n._('Refund at once')}
          currency={currency}
          value={amount ?? undefined}
          onChange={(next) => setDraft({ ...draft, amount: next ?? null })}
        />
      </ErrorAt>
    </SectionForm>
  );
}
