import { CapabilityRules } from './CapabilityRules';
import { ClassRules } from './ClassRules';
import { Grants } from './Grants';

/** What the assistant may do by itself, what it asks, and what it was allowed from now on. */
export function Permissions() {
  return (
    <>
      <Grants />
      <ClassRules />
      <CapabilityRules />
    </>
  );
}
