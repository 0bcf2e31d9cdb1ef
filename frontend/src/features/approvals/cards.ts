import type { ApprovalCard, ApprovalEvent } from '../../bus/approval';

/** The open cards after an event, oldest first. */
export function applyEvent(cards: readonly ApprovalCard[], { type, card }: ApprovalEvent): readonly ApprovalCard[] {
  const known = cards.some((open) => open.approval_id === card.approval_id);
  if (type === 'closed') return cards.filter((open) => open.approval_id !== card.approval_id);
  return known ? cards : [...cards, card]; // an opened card is told again when the page loads again
}

/** Whether the person asked for it by hand: they wait for it, where an assistant's card waits for them. */
export function isOwn({ conversation_id }: ApprovalCard): boolean {
  return !conversation_id;
}

/** The names the card gives to ids, so that the rows below can use them too. */
export function namesIn(args: ApprovalCard['arguments']): Record<string, string> {
  return Object.fromEntries(args.flatMap(({ value, text }) => (typeof value === 'string' ? [[value, text]] : [])));
}

const origins: Record<string, string> = {
  said: 'you said it',
  looked_up: 'looked up',
  default: 'default',
  guess: 'assistant’s guess',
};

/** Where a value came from, in words. */
export function originText(origin: string | undefined): string | undefined {
  return origin && (origins[origin] ?? origin);
}

/** The time left as "4:05", never below zero. */
export function timeLeft(expiresAt: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((expiresAt - now) / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Whether a new card may take the focus: when nothing has it, or when it is in
 * the conversation and the person has not begun another sentence. Typing
 * anywhere else is never interrupted.
 */
export function mayTakeFocus(active: Element | null): boolean {
  if (!active || active === active.ownerDocument.body) return true;
  if (!active.closest('[data-conversation]')) return false;
  return !(active instanceof HTMLTextAreaElement && active.value.trim() !== '');
}
