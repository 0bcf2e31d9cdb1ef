import { dayAt } from '../../language/dates';
import type { Chosen, Filters } from './filters';

/** The filters of the page for a saved filter: the inverse of `chosenBy`. */
export function filtersOf(saved: Chosen): Filters {
  const { text, callerType, capability, status, code, sideEffect, person, subject, conversationId } = saved;
  const { from, to, since, until } = saved;
  const filters: Filters = {
    text,
    caller: callerType,
    capability,
    outcome: status === 'success' ? status : code,
    risk: sideEffect,
    person,
    subject,
    conversation: conversationId,
    // Filters that were saved as moments have days, too.
    from: from ?? (since === undefined ? undefined : dayAt(since)),
    until: to ?? (until === undefined ? undefined : dayAt(until - 1)),
  };
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
}
