import type { CapabilityName } from '../../bridge/capabilities';
import { enumOf } from '../../bridge/schema';
import type { JsonObject } from '../../bridge/wire';
import { alone } from '../../language/format';
import { own } from '../../language/own';
import { translateFromGo } from '../../language/translateFromGo';
import { useEntry } from '../../queries/useManifest';
import { Select } from '../../ui/form/Select';

interface ListChoiceProps {
  /** The capability that lists, and what it is narrowed to and sorted by. */
  of: CapabilityName;
  values: JsonObject;
  onChange: (values: JsonObject) => void;
  /** The field: one of the values that the manifest lists. Without such a field nothing is shown. */
  field: string;
  label: string;
  /** What it says where nothing is chosen. */
  none: string;
  /** The fields that a choice stands instead of. */
  instead?: readonly string[];
}

/** A choice that stands beside the search of a list, as the manifest declares it. */
export function ListChoice({ of, values, onChange, field, label, none, instead = [] }: ListChoiceProps) {
  const choices = enumOf(useEntry(of)?.input_schema, field);
  if (choices.length === 0) return null;
  const chosen = choices.find((choice) => choice === own(values, field)) ?? null;
  return (
    <Select
      aria-label={label}
      placeholder={none}
      w={136}
      clearable
      data={choices.map((value) => ({ value, label: alone(translateFromGo(value)) }))}
      value={chosen}
      onChange={(value) => {
        const others = Object.entries(values).filter(([name]) => name !== field && !(value && instead.includes(name)));
        onChange({ ...Object.fromEntries(others), ...(value && { [field]: value }) });
      }}
    />
  );
}
