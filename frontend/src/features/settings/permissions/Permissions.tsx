import { CapabilityRules } from './CapabilityRules';
import { ClassRules } from './ClassRules';
import { Grants } from './Grants';

/** The permissions of the assistant: grants and rules. */
export function Permissions() {
  return (
    <>
      <Grants />
      <ClassRules />
      <CapabilityRules />
    </>
  );
}
