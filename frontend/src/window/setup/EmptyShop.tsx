import { Checkbox, Text } from '@mantine/core';
import { type FormEvent, useMemo } from 'react';
import type { Request, Response } from '../../bridge/capabilities';
import { currencies, timeZones } from '../../language/codes';
import { formatDays } from '../../language/format';
import { i18n } from '../../language/i18n';
import { ActionButton } from '../../ui/form/ActionButton';
import { type Call, FieldErrors } from '../../ui/form/FieldErrors';
import { type Field, missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { hasUnreadable } from '../../ui/form/unreadable';
import { useForm } from '../../ui/form/useForm';
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
  const { country } = suggested ?? {};
  const own = useForm('first run name', { name: '' });
  const { values, change } = useForm(`first run ${country}`, {
    currency: suggested?.currency ?? '',
    timeZone: suggested?.timeZone ?? '',
    ratePpm: suggested?.ratePpm ? String(suggested.ratePpm / 10_000) : '',
    included: suggested?.pricesIncludeTax ?? false,
  });
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
  const { included, ...terms } = values;
  const draft = { ...own.values, ...terms };
  const reason = missing(fields, draft);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (reason !== undefined || call.isPending || hasUnreadable(event.currentTarget)) return;
    const { currency, timeZone } = draft;
    const tax = { ratePpm: Math.round(Number(draft.ratePpm) * 10_000), pricesIncludeTax: included };
    onBegin({ name: draft.name.trim() || undefined, country, locale: suggested?.locale, currency, timeZone, ...tax });
  };
  return (
    <section className={classes.choice} aria-labelledby="empty-shop">
      <h2 id="empty-shop">{i18n._('Empty shop')}</h2>
      <Text>{i18n._('Nothing in it but you as the owner. Products and customers are yours to add.')}</Text>
      <form className={classes.own} onSubmit={send} noValidate>
        <FieldErrors call={call}>
          <TextFields
            {...{ at: '', fields, draft }}
            onChange={({ name, ...chosen }) => {
              own.change({ name });
              change(chosen);
            }}
          />
        </FieldErrors>
        <Checkbox
          size="xs"
          label={i18n._('Prices include the tax')}
          checked={included}
          onChange={(event) => change({ included: event.currentTarget.checked })}
        />
        <ActionButton type="submit" size="sm" variant="default" loading={call.isPending} disabledReason={reason}>
          {i18n._('Start with an empty shop')}
        </ActionButton>
      </form>
    </section>
  );
}
