import { Checkbox, Text } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { Request, Response } from '../../bridge/capabilities';
import { currencies, timeZones } from '../../language/codes';
import { formatDays } from '../../language/format';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { type Call, FieldErrors } from '../../ui/form/FieldErrors';
import { type Draft, type Field, missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { hasUnreadable } from '../../ui/form/unreadable';
import { useLasting } from '../../ui/window/useKept';
import classes from './FirstRun.module.css';

type Part = 'name' | 'currency' | 'ratePpm' | 'timeZone';
type Terms = Omit<Request<'shop.setUp'>, 'from'>;

interface EmptyShopProps {
  suggested?: Response<'shop.suggest'>;
  call: Call;
  onBegin: (shop: Terms) => void;
}

/** A shop with nothing in it, by what is usual in its country unless another is chosen. */
export function EmptyShop({ suggested, call, onBegin }: EmptyShopProps) {
  const [name, setName] = useLasting('first run name', '');
  // What was changed by hand counts for the country it was changed for.
  const [changed, setChanged] = useState<Partial<Draft<Part>> & { country?: string; included?: boolean }>({});
  const { country } = suggested ?? {};
  const { included = suggested?.pricesIncludeTax ?? false, ...terms } = changed.country === country ? changed : {};
  const fields = useMemo((): Field<Part>[] => {
    const day = suggested?.ratesOf;
    return [
      { name: 'name', label: i18n._('Name of the shop'), placeholder: i18n._('My shop') },
      { name: 'currency', label: i18n._('Currency'), required: true, choices: currencies },
      { name: 'timeZone', label: i18n._('Time zone'), required: true, choices: () => timeZones(suggested?.timeZones) },
      {
        name: 'ratePpm',
        label: i18n._('Tax in percent'),
        description: day
          ? i18n._('The standard rate as of {day}. More of them can be added later.', { day: formatDays(day, day) })
          : i18n._('Leave it empty for none. It can be changed later.'),
        number: { decimals: 4, min: 0, max: 100, unit: '%' },
      },
    ];
  }, [suggested]);
  const draft = {
    currency: suggested?.currency ?? '',
    timeZone: suggested?.timeZone ?? '',
    ratePpm: suggested?.ratePpm ? String(suggested.ratePpm / 10_000) : '',
    ...terms,
    name,
  };
  const reason = missing(fields, draft);
  const change = ({ name, ...chosen }: Draft<Part>) => {
    setName(name);
    setChanged({ ...chosen, country, included });
  };
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (reason !== undefined || call.isPending || hasUnreadable(event.currentTarget)) return;
    const { currency, timeZone } = draft;
    const tax = { ratePpm: Math.round(Number(draft.ratePpm) * 10_000), pricesIncludeTax: included };
    onBegin({ name: name.trim() || undefined, country, locale: suggested?.locale, currency, timeZone, ...tax });
  };
  return (
    <section className={classes.choice} aria-labelledby="empty-shop">
      <h2 id="empty-shop">{i18n._('Empty shop')}</h2>
      <Text>{i18n._('Nothing in it but you as the owner. Products and customers are yours to add.')}</Text>
      <form className={classes.own} onSubmit={send} noValidate>
        <FieldErrors call={call}>
          <TextFields at="" fields={fields} draft={draft} onChange={change} />
        </FieldErrors>
        <Checkbox
          size="xs"
          label={i18n._('Prices include the tax')}
          checked={included}
          onChange={(event) => setChanged({ ...terms, country, included: event.currentTarget.checked })}
        />
        <ActionButton type="submit" size="sm" variant="default" loading={call.isPending} disabledReason={reason}>
          {i18n._('Start with an empty shop')}
        </ActionButton>
      </form>
    </section>
  );
}
