import { NativeSelect } from '@mantine/core';
import type { Rule } from '../../../bridge/manifest';
import { ruleWords } from './rules';

interface RuleSelectProps {
  /** The subject of the rule. */
  label: string;
  value: Rule | undefined;
  /** The behaviour without a rule, in words. */
  usual: string;
  choices: readonly Rule[];
  disabled: boolean;
  onChange: (rule: Rule | undefined) => void;
}

/** One rule: as usual, or what the owner wants instead. */
export function RuleSelect({ label, value, usual, choices, disabled, onChange }: RuleSelectProps) {
  return (
    <NativeSelect
      size="xs"
      w={176}
      style={{ flex: 'none' }}
      aria-label={label}
      disabled={disabled}
      data={[{ value: '', label: usual }, ...choices.map((rule) => ({ value: rule, label: ruleWords[rule] }))]}
      value={value ?? ''}
      onChange={(event) => onChange(choices.find((rule) => rule === event.currentTarget.value))}
    />
  );
}
