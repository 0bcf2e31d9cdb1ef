import '@mantine/dates/styles.css';
import { DatePickerInput } from '@mantine/dates';
import { IconCalendar } from '@tabler/icons-react';
import { useState } from 'react';
import { dayAt } from '../../language/dates';
import { formatDay } from '../../language/format';
import { i18n } from '../../language/i18n';
import classes from './DaysInput.module.css';

const steps = {
  nextMonth: i18n._('Next month'),
  previousMonth: i18n._('Previous month'),
  monthLevelControl: i18n._('Choose a month'),
  nextYear: i18n._('Next year'),
  previousYear: i18n._('Previous year'),
  yearLevelControl: i18n._('Choose a year'),
  nextDecade: i18n._('Next ten years'),
  previousDecade: i18n._('Previous ten years'),
};

interface DaysInputProps {
  label: string;
  placeholder: string;
  /** The label of the clear button, such as "Any day". */
  clear: string;
  /** The first and the last day, such as "2026-11-20"; absent: not chosen. */
  from?: string;
  to?: string;
  onChange: (from: string | undefined, to: string | undefined) => void;
}

/** A field for some days, from the first to the last. */
export function DaysInput({ label, placeholder, clear, from, to, onChange }: DaysInputProps) {
  const [today, setToday] = useState(() => dayAt(Date.now()));
  return (
    <DatePickerInput
      type="range"
      size="xs"
      aria-label={label}
      placeholder={placeholder}
      leftSection={<IconCalendar size={15} aria-hidden />}
      clearable
      clearButtonProps={{ 'aria-label': clear }}
      ariaLabels={steps}
      classNames={{ day: classes.day }}
      // A dialog would need a name, and takes none. Where the window changes its size it goes where there is room.
      popoverProps={{ withRoles: false, withinPortal: false, preventPositionChangeWhenVisible: false }}
      allowSingleDateInRange
      hideOutsideDates
      maxDate={today}
      onFocus={() => setToday(dayAt(Date.now()))} // a window stays open over midnight
      valueFormatter={({ date }) => daysText(Array.isArray(date) ? date : [date])}
      value={[from ?? null, to ?? null]}
      onChange={([first, last]) => onChange(first ?? undefined, last ?? undefined)}
    />
  );
}

function daysText(days: readonly unknown[]): string {
  const [from, to] = days.map((day) => (typeof day === 'string' ? formatDay(day) : ''));
  return from === to || !to ? (from ?? '') : `${from} – ${to}`;
}
