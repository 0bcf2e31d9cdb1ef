import '@mantine/dates/styles.css';
import { DateInput, type DateInputProps } from '@mantine/dates';
import { i18n } from '../../language/i18n';

interface DayInputProps extends Pick<DateInputProps, 'label' | 'description' | 'withAsterisk' | 'error'> {
  /** Such as "2026-11-20"; empty: none. */
  value: string;
  onChange: (day: string) => void;
}

/** A field for a day, typed or chosen. */
export function DayInput({ value, onChange, ...field }: DayInputProps) {
  return (
    <DateInput
      {...field}
      size="xs"
      clearable
      clearButtonProps={{ 'aria-label': i18n._('Any day') }}
      valueFormat="YYYY-MM-DD"
      placeholder="2026-11-20"
      popoverProps={{ withRoles: false, withinPortal: false }}
      value={value || null}
      onChange={(day) => onChange(day ?? '')}
    />
  );
}
