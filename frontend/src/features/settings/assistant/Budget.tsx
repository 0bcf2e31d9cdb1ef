import type { Response } from '../../../bridge/capabilities';
import { formatCount } from '../../../language/format';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useCurrency } from '../../../shop/currency';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { NumberField } from '../../../ui/form/NumberField';
import { useForm } from '../../../ui/form/useForm';
import { Reading } from '../../../ui/page/Reading';
import { SectionForm } from '../SectionForm';

type Usage = Response<'assistant.usage'>;

const source = { source: 'Settings' };

/** What the assistant cost today, and what it may cost in a day. */
export function Budget() {
  const save = useInvoke('assistant.setBudget', source);
  const shopCurrency = useCurrency();
  const model = useCapability('settings.get', { section: 'model' }, source).data?.model;
  const read = useCapability('assistant.usage', {}, source);
  const { data } = read;
  if (!data || !shopCurrency) return <Reading label={i18n._('Counting')} of={read} />;
  const { budget, today } = data;
  const currency = budget?.amount?.currency ?? model?.priceCurrency ?? shopCurrency;
  return <BudgetForm save={save} known={budget} {...{ today, currency }} />;
}

interface BudgetFormProps {
  known: Usage['budget'];
  today: Usage['today'];
  currency: string;
  save: ReturnType<typeof useInvoke<'assistant.setBudget'>>;
}

interface Draft {
  /** Null: no limit. */
  tokens: number | null;
  amount: number | null;
}

function BudgetForm({ known = {}, today, currency, save }: BudgetFormProps) {
  const { values, change } = useForm<Draft>('settings budget', {
    tokens: known.tokens ?? null,
    amount: known.amount?.amount ?? null,
  });
  const { tokens, amount } = values;
  const next = {
    ...(tokens !== null && { tokens }),
    ...(amount !== null && { amount: { amount, currency } }),
  };
  const same = JSON.stringify(next) === JSON.stringify(known) ? i18n._('Nothing is changed yet.') : undefined;
  return (
    <SectionForm
      title={i18n._('What it may cost')}
      disabledReason={same}
      help={`${i18n._('Each day, for everybody together. At 80 % the chat says so; then the model is not asked until the next day. The built-in assistant costs nothing.')} ${usedText(today)}`}
      save={save}
      onSave={() => save.mutate(next)}
    >
      <ErrorAt pointer="/tokens">
        <NumberField
          label={i18n._('Tokens a day, at most')}
          placeholder={i18n._('No limit')}
          min={1}
          value={tokens ?? undefined}
          onChange={(next) => change({ tokens: next ?? null })}
        />
      </ErrorAt>
      <ErrorAt pointer="/amount">
        <MoneyInput
          label={i18n._('Money a day, at most, by the price above')}
          currency={currency}
          value={amount ?? undefined}
          onChange={(next) => change({ amount: next ?? null })}
        />
      </ErrorAt>
    </SectionForm>
  );
}

/** What today's turns cost. */
function usedText({ input = 0, output = 0, costs = [] }: Usage['today']): string {
  const used = [i18n._('{tokens} tokens', { tokens: formatCount(input + output) }), ...costs.map(({ text }) => text)];
  return i18n._('Today: {used}.', { used: used.join(' · ') });
}
