import { Checkbox, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { countries, currencies, documentLanguages, timeZones } from '../../../language/codes';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useEntry } from '../../../queries/useManifest';
import { notFiscal } from '../../../shop/notFiscal';
import { ReceiptSheet } from '../../../shop/ReceiptSheet';
import { ErrorAt } from '../../../ui/form/FieldErrors';
import { draftOf, type Field, missing } from '../../../ui/form/fields';
import { MoneyInput } from '../../../ui/form/MoneyInput';
import { TextFields } from '../../../ui/form/TextFields';
import { useForm } from '../../../ui/form/useForm';
import { Part } from '../../../ui/page/Page';
import { SavedSection, type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { Logo } from './Logo';

/** The texts of a receipt. */
export interface ShopDraft {
  name: string;
  address: string;
  phone: string;
  email: string;
  taxNumber: string;
  footer: string;
}

/** The first lines of a receipt, as the application makes them of the saved settings. */
export function letterhead({ name, address, phone, email, taxNumber }: ShopDraft): string[] {
  return [name, ...address.split('\n'), phone, email, taxNumber].map((line) => line.trim()).filter(Boolean);
}

type ShopSettings = NonNullable<Response<'settings.get'>['shop']>;

const fields: readonly Field<keyof ShopDraft | 'country' | 'currency' | 'timeZone' | 'locale'>[] = [
  { name: 'name', label: i18n._('Name'), required: true },
  { name: 'address', label: i18n._('Address'), lines: 3 },
  { name: 'phone', label: i18n._('Phone'), inputMode: 'tel', half: true },
  { name: 'email', label: i18n._('Email'), inputMode: 'email', half: true },
  {
    name: 'taxNumber',
    label: i18n._('Tax number'),
    description: i18n._('As it is to be printed, for example VAT no. GB123456789'),
  },
  { name: 'footer', label: i18n._('Last lines of a receipt'), lines: 2 },
  { name: 'country', label: i18n._('Country'), choices: countries, half: true },
  { name: 'currency', label: i18n._('Currency'), required: true, choices: currencies, half: true },
  { name: 'locale', label: i18n._('Language of documents'), choices: documentLanguages, half: true },
  { name: 'timeZone', label: i18n._('Time zone'), required: true, choices: () => timeZones(), half: true },
];

/** The name, the place and the currency of the shop, with a receipt beside them. */
export function Shop() {
  return (
    <SavedSection section="shop">{({ shop }, save) => shop && <ShopForm save={save} known={shop} />}</SavedSection>
  );
}

function ShopForm({ known, save }: { known: ShopSettings; save: SaveSettings }) {
  const form = useForm('settings shop', {
    ...draftOf(fields, known),
    pricesIncludeTax: known.pricesIncludeTax,
    coin: known.cashStep?.amount ?? 0,
  });
  const { pricesIncludeTax: included, coin, ...draft } = form.values;
  const { coin: other, ...changes } = form.changes;
  const currency = draft.currency || known.currency;
  const values = { ...changes, ...(other !== undefined && { cashStep: { amount: other, currency } }) };
  const nothing = Object.keys(values).length === 0 ? i18n._('Nothing is changed yet.') : undefined;
  return (
    <div className={classes.beside}>
      <div>
        <SectionForm
          title={i18n._('The shop')}
          disabledReason={missing(fields, draft) ?? nothing}
          save={save}
          onSave={() => save.mutate({ section: 'shop', values })}
        >
          <TextFields at="/values" fields={fields} draft={draft} onChange={form.change} />
          <Checkbox
            size="xs"
            label={i18n._('Prices include the tax')}
            checked={included}
            onChange={(event) => form.change({ pricesIncludeTax: event.currentTarget.checked })}
          />
          <ErrorAt pointer="/values/cashStep">
            <MoneyInput
              label={i18n._('The smallest coin')}
              description={i18n._('Cash is rounded to it; 0: it is not.')}
              currency={currency}
              value={coin}
              onChange={(next) => form.change({ coin: next ?? 0 })}
            />
          </ErrorAt>
          <Text size="xs" c="dimmed">
            {notFiscal()}
          </Text>
        </SectionForm>
        <Logo edition={known.logo} />
      </div>
      <LastReceipt draft={draft} />
    </div>
  );
}

/** The receipt of the latest order with what is typed about the shop; nothing where there is no order yet. */
function LastReceipt({ draft }: { draft: ShopDraft }) {
  const may = useEntry('receipt.preview')?.available ?? false;
  const orders = useCapability('order.search', { limit: 1 }, { source: 'Settings', enabled: may });
  const orderId = orders.data?.orders[0]?.id ?? '';
  const { data } = useCapability('receipt.preview', { orderId }, { source: 'Settings', enabled: orderId !== '' });
  if (!data) return null;
  return (
    <Part title={i18n._('A receipt')}>
      <ReceiptSheet receipt={data} shop={letterhead(draft)} footer={draft.footer.trim()} />
    </Part>
  );
}
