import { NumberInput, type NumberInputProps } from '@mantine/core';

interface PiecesInputProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  /** None is an empty field. */
  value: number;
  onChange: (pieces: number) => void;
}

/** A number of pieces: what is typed takes the place of what is there, and a leading nought does not count. */
export function PiecesInput({ value, onChange, ...field }: PiecesInputProps) {
  return (
    <NumberInput
      placeholder="0"
      allowDecimal={false}
      allowNegative={false}
      {...field}
      value={value || ''}
      onFocus={(event) => event.currentTarget.select()}
      onClick={(event) => event.currentTarget.select()}
      onChange={(typed) => onChange(Number(typed) || 0)}
    />
  );
}
