import { NumberField, type NumberFieldProps } from './NumberField';

interface PiecesInputProps extends Omit<NumberFieldProps, 'value' | 'onChange' | 'decimals' | 'places'> {
  /** None is an empty field. */
  value: number;
  onChange: (pieces: number) => void;
}

/** A number of pieces: the next key replaces the number that is there. */
export function PiecesInput({ value, onChange, ...field }: PiecesInputProps) {
  return (
    <NumberField
      placeholder="0"
      min={0}
      replaced
      {...field}
      value={value || undefined}
      onChange={(pieces) => onChange(pieces ?? 0)}
    />
  );
}
