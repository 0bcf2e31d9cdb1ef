import { Group } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { DaysInput } from '../../ui/form/DaysInput';
import { Select } from '../../ui/form/Select';
import classes from './Reports.module.css';
import { type By, type Compare, comparisons, type Days, groups, isByTime, periods } from './report';

interface RangeBarProps {
  days: Days;
  onDays: (days: Days) => void;
  /** What a row is; absent where a report has no choice. */
  by?: By;
  onBy?: (by: By) => void;
  /** The other time that stands beside; without onCompare a report has none. */
  compare?: Compare;
  onCompare?: (compare: Compare | undefined) => void;
  children?: React.ReactNode;
}

/** Which days a report is about, and in what steps. */
export function RangeBar(props: RangeBarProps) {
  const { days, onDays, by, onBy, compare, onCompare, children } = props;
  const ranged = days.from !== undefined;
  return (
    <div className={classes.bar}>
      <Select
        aria-label={i18n._('Period')}
        placeholder={i18n._('Certain days')}
        w={130}
        data={periods.map(({ value, label }) => ({ value, label }))}
        value={ranged ? null : (days.period ?? 'month')}
        onChange={(value) => {
          const chosen = periods.find((period) => period.value === value);
          if (!chosen) return;
          onDays({ period: chosen.value });
          if (!by || isByTime(by)) onBy?.(chosen.by);
        }}
      />
      <DaysInput
        label={i18n._('Days')}
        placeholder={i18n._('Or from … to …')}
        clear={i18n._('By period again')}
        from={days.from}
        to={days.to}
        onChange={(from, to) => onDays({ ...days, from, to })}
      />
      {by && onBy && (
        <Select
          aria-label={i18n._('Rows')}
          w={150}
          allowDeselect={false}
          data={groups.map(({ value, label }) => ({ value, label }))}
          value={by}
          onChange={(value) => onBy(groups.find((group) => group.value === value)?.value ?? by)}
        />
      )}
      <Group ml="auto" gap="xs">
        {onCompare && (
          <Select
            aria-label={i18n._('Comparison')}
            placeholder={i18n._('Compare')}
            w={190}
            clearable
            data={comparisons.map(({ value, label }) => ({ value, label }))}
            value={compare ?? null}
            onChange={(value) => onCompare(comparisons.find((one) => one.value === value)?.value)}
          />
        )}
        {children}
      </Group>
    </div>
  );
}
