import { TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useCurrency } from '../../../shop/currency';
import { EditableRows, omitText } from '../../../ui/form/EditableRows';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { NumberField } from '../../../ui/form/NumberField';
import { useRowsOver } from '../../../ui/form/useRows';
import { Reading } from '../../../ui/page/Reading';
import { type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { idFor } from './rates';

type ShippingSettings = NonNullable<Response<'settings.get'>['shipping']>;

interface Method {
  id: string;
  name: string;
  amount: number | undefined;
  days: number | undefined;
}

/** How orders are sent, what it costs and how long it takes; the first is taken unless another is chosen. */
export function Shipping() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section: 'shipping' }, { source: 'Settings' });
  const { data } = read;
  const currency = useCurrency();
  if (!data?.shipping || !currency) return <Reading label={i18n._('Reading the settings')} of={read} />;
  return <ShippingForm save={save} known={data.shipping} currency={currency} />;
}

function ShippingForm({ known, currency, save }: { known: ShippingSettings; currency: string; save: SaveSettings }) {
  const { rows, change, omit, add } = useRowsOver<Method>(
    'settings shipping',
    known.map(({ id, name, price, days }) => ({ id, name, amount: price.amount, days })),
  );
  const taken = rows.map(({ id }) => id);
  const methods = rows.flatMap(({ id, name, amount, days }) =>
    name.trim() !== '' && amount !== undefined && days !== undefined
      ? [{ id: id || idFor(name, taken), name: name.trim(), price: { amount, currency }, days }]
      : [],
  );
  const before = known.map(({ id, name, price: { amount }, days }) => ({
    id,
    name,
    price: { amount, currency },
    days,
  }));
  const same = JSON.stringify(methods) === JSON.stringify(before) ? i18n._('Nothing is changed yet.') : undefined;
  return (
    <SectionForm
      wide
      title={i18n._('Shipping methods')}
      disabledReason={methods.length < rows.length ? i18n._('Fill in every name, price and number of days.') : same}
      save={save}
      onSave={() => save.mutate({ section: 'shipping', values: { methods } })}
    >
      <EditableRows
        label={i18n._('Shipping methods')}
        className={classes.rows}
        rows={rows}
        omitText={({ name }) => omitText(name)}
        onOmit={omit}
        adding={{
          text: i18n._('One more'),
          onAdd: () => add({ id: '', name: '', amount: undefined, days: undefined }),
        }}
      >
        {({ row, name, amount, days }, index) => (
          <>
            <ErrorAt pointer={`/values/methods/${index}/name`}>
              <TextInput
                label={i18n._('Name')}
                value={name}
                onChange={(e) => change(row, { name: e.currentTarget.value })}
              />
            </ErrorAt>
            <ErrorAt pointer={`/values/methods/${index}/price`}>
              <MoneyInput
                label={i18n._('Price')}
                currency={currency}
                value={amount}
                onChange={(next) => change(row, { amount: next })}
              />
            </ErrorAt>
            <ErrorAt pointer={`/values/methods/${index}/days`}>
              <NumberField
                label={i18n._('Working days')}
                min={0}
                value={days}
                onChange={(next) => change(row, { days: next })}
              />
            </ErrorAt>
          </>
        )}
      </EditableRows>
    </SectionForm>
  );
}
