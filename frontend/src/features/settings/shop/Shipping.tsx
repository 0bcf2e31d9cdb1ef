import { TextInput } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useCurrency } from '../../../shop/currency';
import { EditableRows, omitText } from '../../../ui/form/EditableRows';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { NumberField } from '../../../ui/form/NumberField';
import { Select } from '../../../ui/form/Select';
import { useRows } from '../../../ui/form/useRows';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { idFor } from './rates';

type ShippingSettings = NonNullable<Response<'settings.get'>['shipping']>;

interface Method {
  id: string;
  name: string;
  amount: number | undefined;
  days: number | undefined;
  /** Of its tax; empty: as the goods. */
  taxClassId: string;
}

/** How orders are sent, what it costs and how long it takes; the first is taken unless another is chosen. */
export function Shipping() {
  const currency = useCurrency();
  return (
    <SavedSection section="shipping">
      {({ shipping }, save) =>
        shipping && currency && <ShippingForm save={save} known={shipping} currency={currency} />
      }
    </SavedSection>
  );
}

function ShippingForm({ known, currency, save }: { known: ShippingSettings; currency: string; save: SaveSettings }) {
  const tax = useCapability('settings.get', { section: 'tax' }, { source: 'Settings' }).data?.tax ?? [];
  const taxes = [
    { value: '', label: i18n._('As the goods') },
    { value: 'none', label: i18n._('No tax') },
    ...tax.filter(({ id }) => id !== 'none').map(({ id, name }) => ({ value: id, label: name })),
  ];
  const { rows, change, omit, add } = useRows<Method>(
    'settings shipping',
    known.map(({ id, name, price, days, taxClassId = '' }) => ({ id, name, amount: price.amount, days, taxClassId })),
  );
  const taken = rows.map(({ id }) => id);
  const methods = rows.flatMap(({ id, name, amount, days, taxClassId }) =>
    name.trim() !== '' && amount !== undefined && days !== undefined
      ? [
          {
            id: id || idFor(name, taken),
            name: name.trim(),
            price: { amount, currency },
            days,
            ...(taxClassId && { taxClassId }),
          },
        ]
      : [],
  );
  const before = known.map(({ id, name, price: { amount }, days, taxClassId }) => ({
    id,
    name,
    price: { amount, currency },
    days,
    ...(taxClassId && { taxClassId }),
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
          onAdd: () => add({ id: '', name: '', amount: undefined, days: undefined, taxClassId: '' }),
        }}
      >
        {({ row, name, amount, days, taxClassId }, index) => (
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
            <ErrorAt pointer={`/values/methods/${index}/taxClassId`}>
              <Select
                label={i18n._('Tax')}
                data={taxes}
                value={taxClassId}
                onChange={(next) => change(row, { taxClassId: next ?? '' })}
              />
            </ErrorAt>
          </>
        )}
      </EditableRows>
    </SectionForm>
  );
}
