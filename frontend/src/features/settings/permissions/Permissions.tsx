import { CapabilityRules } from './CapabilityRules';
import { ClassRules } from './ClassRules';
import { Grants } from './Grants';
import { Suggestions } from './Suggestions';

/** The permissions of the assistant: grants and rules. */
export function Permissions() {
  return (
    <>
      <Grants />
      <Suggestions />
      <ClassRules />
      <CapabilityRules />
    </>
  );
}
