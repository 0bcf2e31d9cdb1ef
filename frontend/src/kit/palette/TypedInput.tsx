import { Templates } from '@rjsf/mantine';
import type { BaseInputTemplateProps } from '@rjsf/utils';
import { NumberField } from '../../ui/form/NumberField';

const { BaseInputTemplate } = Templates;

/** So many decimals may a number have that is no whole one. */
const DECIMALS = 6;

/** A field of one line: a number is read as it is everywhere in the window, and one that cannot be read is refused. */
export function TypedInput(props: BaseInputTemplateProps) {
  const { id, htmlName, schema, label, hideLabel, value, required, disabled, readonly, placeholder, rawErrors } = props;
  const types = [schema.type].flat();
  if (!types.includes('number') && !types.includes('integer')) {
    return BaseInputTemplate && <BaseInputTemplate {...props} />;
  }
  return (
    <NumberField
      {...{ id, placeholder, required, min: schema.minimum, max: schema.maximum }}
      name={htmlName ?? id}
      label={hideLabel ? undefined : label}
      description={hideLabel ? undefined : schema.description}
      disabled={disabled || readonly}
      decimals={types.includes('number') ? DECIMALS : 0}
      error={rawErrors?.join('\n') || undefined}
      value={numberOf(value)}
      onChange={(next, typed) => props.onChange(next ?? (typed.trim() === '' ? undefined : null))}
    />
  );
}

/** The number that the form holds; it comes with the decimal separator of the browser's language. */
function numberOf(value: unknown): number | undefined {
  const number = Number(String(value ?? '').replace(',', '.') || Number.NaN);
  return Number.isNaN(number) ? undefined : number;
}
