import { Text } from '@mantine/core';
import { i18n } from '../../../language/i18n';
import { Problem } from '../../../ui/page/Note';
import { Part } from '../../../ui/page/Page';
import page from '../../../ui/page/Page.module.css';
import { RuleSelect } from './RuleSelect';
import { choicesFor, classWords, ruleFor, usualText } from './rules';
import { TriedRule } from './TriedRule';
import { useRules } from './useRules';

/** The rules of the assistant by class of side effect. */
export function ClassRules() {
  const { rules = [], defaults, refused, error, pending, change } = useRules();
  return (
    <Part title={i18n._('By what is at stake')}>
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      {refused && <Text c="dimmed">{refused}</Text>}
      <ul className={page.rows} aria-label={i18n._('Rules by what is at stake')}>
        {classWords.map(([sideEffect, label, more]) => {
          const usual = ruleFor(defaults, { class: sideEffect });
          return (
            <li key={sideEffect}>
              <div className={page.grow}>
                <Text fw={500}>{label}</Text>
                <Text size="xs" c="dimmed">
                  {more}
                </Text>
                <TriedRule subject={{ class: sideEffect }} rule={ruleFor(rules, { class: sideEffect })} />
              </div>
              <RuleSelect
                {...{ label }}
                usual={usualText(usual)}
                value={ruleFor(rules, { class: sideEffect })}
                choices={choicesFor(sideEffect).filter((rule) => rule !== usual)}
                disabled={refused !== undefined || pending}
                onChange={(rule) => change({ class: sideEffect }, rule)}
              />
            </li>
          );
        })}
      </ul>
    </Part>
  );
}
