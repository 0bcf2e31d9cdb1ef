import { Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { type ManifestEntry, riskText } from '../../../bridge/manifest';
import { i18n } from '../../../language/i18n';
import { useManifest } from '../../../queries/useManifest';
import { Badge } from '../../../ui/page/Badge';
import { Empty, Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import classes from '../Settings.module.css';
import { RuleSelect } from './RuleSelect';
import { choicesFor, isForPeople, rulable, ruleFor, usualText } from './rules';
import { TriedRule } from './TriedRule';
import { useRules } from './useRules';

/** The rules of the assistant by capability. */
export function CapabilityRules() {
  const [search, setSearch] = useState('');
  const known = useManifest()?.capabilities ?? [];
  const { rules = [], defaults, refused, error, pending, change } = useRules();
  const shown = rulable(known, search);
  const usual = ({ access, side_effect }: ManifestEntry) =>
    access?.agent ?? ruleFor(rules, { class: side_effect }) ?? ruleFor(defaults, { class: side_effect });
  return (
    <Part title={i18n._('One by one')}>
      <TextInput
        mb="sm"
        className={classes.search}
        aria-label={i18n._('Search what it can do')}
        placeholder={i18n._('Search: refund, mail, price…')}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
      />
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      {shown.length === 0 && <Empty title={i18n._('Nothing is called that')} />}
      <ul className={page.rows} aria-label={i18n._('Rules one by one')}>
        {shown.map((entry) => {
          const mark = riskText(entry);
          const rule = usual(entry);
          return (
            <li key={entry.name}>
              <div className={page.grow}>
                <Text fw={500}>
                  {entry.title} {mark && <Badge color="brick">{mark}</Badge>}
                </Text>
                <Text size="xs" c="dimmed">
                  {entry.help}
                </Text>
                <TriedRule subject={{ capability: entry.name }} rule={ruleFor(rules, { capability: entry.name })} />
              </div>
              {isForPeople(entry) ? (
                <Text size="xs" c="dimmed">
                  {i18n._('People only')}
                </Text>
              ) : (
                <RuleSelect
                  label={entry.title}
                  usual={usualText(rule)}
                  value={ruleFor(rules, { capability: entry.name })}
                  choices={choicesFor(entry.side_effect)}
                  disabled={refused !== undefined || pending}
                  onChange={(next) => change({ capability: entry.name }, next)}
                />
              )}
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
