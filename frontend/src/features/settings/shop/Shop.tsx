import { Checkbox } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { countries, currencies, documentLanguages, timeZones } from '../../../language/codes';
import { i18n } from '../../../language/i18n';
import { useCapability } from '../../../queries/useCapability';
import { useInvoke } from '../../../queries/useInvoke';
import { useEntry } from '../../../queries/useManifest';
import { ReceiptSheet } from '../../../shop/ReceiptSheet';
import { changed, draftOf, type Field, missing } from '../../../ui/form/fields';
import { TextFields } from '../../../ui/form/TextFields';
import { useDraftOver } from '../../../ui/form/useDraftOver';
import { Part } from '../../../ui/page/Page';
import { Reading } from '../../../ui/page/Reading';
import { type SaveSettings, SectionForm } from '../SectionForm';
import classes from '../Settings.module.css';
import { Logo } from './Logo';
import { letterhead, type ShopDraft } from './letterhead';

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
  const save = useInvoke('settings.set', { source: 'Settings' });
  const read = useCapability('settings.get', { section: 'shop' }, { source: 'Settings' });
  const { data } = read;
  if (!data?.shop) return <Reading label={i18n._('Reading the settings')} of={read} />;
  return <ShopForm save={save} known={data.shop} />;
}

function ShopForm({ known, save }: { known: ShopSettings; save: SaveSettings }) {
  const [draft, setDraft] = useDraftOver('settings shop', draftOf(fields, known));
  const [{ included }, include] = useDraftOver('settings prices', { included: known.pricesIncludeTax });
  const texts = changed(draft, known);
  const values = included === known.pricesIncludeTax ? texts : { ...texts, pricesIncludeTax: included };
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
          <TextFields at="/values" fields={fields} draft={draft} onChange={setDraft} />
          <Checkbox
            size="xs"
            label={i18n._('Prices include the tax')}
            checked={included}
            onChange={(event) => include({ included: event.currentTarget.checked })}
          />
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
