import type { Chosen, Filters } from './filters';

/** The filters of the page for a saved filter: the inverse of `chosenBy`. */
export function filtersOf(saved: Chosen): Filters {
  const { text, callerType, capability, status, code, sideEffect, person, subject, conversationId, since, until } =
    saved;
  const filters: Filters = {
    text,
    caller: callerType,
    capability,
    outcome: status === 'success' ? status : code,
    risk: sideEffect,
    person,
    subject,
    conversation: conversationId,
    from: since === undefined ? undefined : dayOf(since),
    until: until === undefined ? undefined : dayOf(until - 1),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}

/** The day a moment (ms since 1970) is in here, such as "2026-11-20". */
function dayOf(ms: number): string {
  const at = new Date(ms);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
