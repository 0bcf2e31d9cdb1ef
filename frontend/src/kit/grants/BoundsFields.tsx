import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { formatMinute, inSentence } from '../../language/format';
import { i18n } from '../../language/i18n';
import { own } from '../../language/own';
import { MoneyInput } from '../../ui/form/MoneyInput';
import { NumberField } from '../../ui/form/NumberField';
import { Select } from '../../ui/form/Select';
import { useNamedBounds } from '../records';
import classes from './BoundsFields.module.css';
import { type Bounds, endsFrom } from './bounds';

interface BoundsFieldsProps {
  bounds: Bounds;
  onChange: (bounds: Bounds) => void;
  /** The capability moves money, so that amounts can be bounded. */
  money: boolean;
  /** The capability that the bounds are for. */
  capability: string;
  /** The conversation it may be bounded to. */
  conversation?: string;
}

/** The bounds of what is allowed from now on: how much, how often, for whom and how long. */
export default function BoundsFields({ bounds, onChange, money, capability, conversation }: BoundsFieldsProps) {
  const [now] = useState(Date.now);
  const { currency, each, total, uses, until, only } = bounds;
  const named = useNamedBounds(capability, Object.fromEntries(only.map(({ key, value }) => [key, value])));
  const change = (part: Partial<Bounds>) => onChange({ ...bounds, ...part });
  return (
    <div className={classes.fields}>
      {only.map(({ key, value, kept }, index) => (
        <Checkbox
          key={key}
          size="xs"
          className={classes.whole}
          label={i18n._('Only for {what} {name}', {
            what: inSentence(key.replace(/^\//, '')),
            name: String(own(named, key) ?? value),
          })}
          checked={kept}
          onChange={(event) => change({ only: only.with(index, { key, value, kept: event.currentTarget.checked }) })}
        />
      ))}
      {money && currency && (
        <>
          <MoneyInput
            label={i18n._('Each at most')}
            currency={currency}
            value={each}
            onChange={(next) => change({ each: next })}
          />
          <MoneyInput
            label={i18n._('In all at most')}
            currency={currency}
            value={total}
            onChange={(next) => change({ total: next })}
          />
        </>
      )}
      <NumberField
        label={i18n._('How often at most')}
        min={1}
        max={100000}
        placeholder={i18n._('Any number of times')}
        value={uses}
        onChange={(next) => change({ uses: next })}
      />
      <Select
        className={classes.whole}
        label={i18n._('How long')}
        data={endsFrom(now, until, formatMinute)}
        value={until === undefined ? null : String(until)}
        placeholder={i18n._('Choose an end')}
        allowDeselect={false}
        onChange={(end) => end && change({ until: Number(end) })}
      />
      {conversation && (
        <Checkbox
          size="xs"
          className={classes.whole}
          label={i18n._('Only in this conversation')}
          checked={bounds.conversation === conversation}
          onChange={(event) => change({ conversation: event.currentTarget.checked ? conversation : undefined })}
        />
      )}
    </div>
  );
}
