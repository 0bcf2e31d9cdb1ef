import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import type { Response } from '../../bus/client';
import { useCapability, useInvoke } from '../../bus/hooks';
import { changed, draftOf, type Field, missing } from '../../ui/fields';
import { Loading } from '../../ui/Loading';
import { TextFields } from '../../ui/TextFields';
import { type SaveSettings, SectionForm } from './SectionForm';

type ShopSettings = NonNullable<Response<'settings.get'>['shop']>;

const fields: readonly Field<'name' | 'currency' | 'timeZone' | 'locale'>[] = [
  { name: 'name', label: 'Name', required: true, maxLength: 120 },
  { name: 'currency', label: 'Currency', required: true, placeholder: 'EUR', maxLength: 3, half: true },
  { name: 'locale', label: 'Language of documents', placeholder: 'de-DE', half: true },
  { name: 'timeZone', label: 'Time zone', required: true, placeholder: 'Europe/Berlin' },
];

/** What the shop is called, where it is, and what it counts in. */
export function Shop() {
  const save = useInvoke('settings.set', { source: 'Settings' });
  const { data } = useCapability('settings.get', { section: 'shop' }, { source: 'Settings' });
  if (!data?.shop) return <Loading label="Reading the settings" />;
  return <ShopForm save={save} key={JSON.stringify(data.shop)} known={data.shop} />;
}

function ShopForm({ known, save }: { known: ShopSettings; save: SaveSettings }) {
  const [draft, setDraft] = useState(draftOf(fields, known));
  const [included, setIncluded] = useState(known.pricesIncludeTax);
  const texts = changed(draft, known);
  const values = included === known.pricesIncludeTax ? texts : { ...texts, pricesIncludeTax: included };
  const nothing = Object.keys(values).length === 0 ? 'Nothing is changed yet.' : undefined;
  return (
    <SectionForm
      title="The shop"
      disabledReason={missing(fields, draft) ?? nothing}
      save={save}
      onSave={() => save.mutate({ section: 'shop', values })}
    >
      <TextFields fields={fields} draft={draft} onChange={setDraft} />
      <Checkbox
        size="xs"
        label="Prices include the tax"
        checked={included}
        onChange={(event) => setIncluded(event.currentTarget.checked)}
      />
    </SectionForm>
  );
}
