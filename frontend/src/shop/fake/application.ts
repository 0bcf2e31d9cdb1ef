import type { ApprovalCard, ApprovalEvent, DecisionRequest } from '../../bridge/approval';
import type { Stream } from '../../bridge/backend';
import type { Response } from '../../bridge/capabilities';
import type { ChatUpdate } from '../../bridge/chat';
import type { BusEvent, Failure, Invocation, Success } from '../../bridge/wire';
import type { FakeCall } from './bus';
import type { FakeShop } from './shop';

export type AuditRecord = Response<'audit.search'>['records'][number];

/** An invocation as the fake runs it: the caller may be the assistant, with the sentence that led to it. */
export type FakeInvocation = Omit<Invocation, 'caller'> & { caller: FakeCall['caller']; sentence?: string };

/** The fake application as its assistant uses it. */
export interface FakeApplication {
  readonly shop: FakeShop;
  readonly records: readonly AuditRecord[];
  newId(prefix: string): string;
  /** Runs an invocation and records it. */
  run(invocation: FakeInvocation): Success<object> | Failure;
  record(invocation: FakeInvocation, result: Success<object> | Failure, more?: Partial<AuditRecord>): void;
  /** Shows a card and waits for the answer. */
  ask(card: ApprovalCard): Promise<DecisionRequest>;
  emit(stream: Stream, event: BusEvent | ChatUpdate | ApprovalEvent): void;
}
