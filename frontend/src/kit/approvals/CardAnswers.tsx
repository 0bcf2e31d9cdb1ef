import { Anchor, Button, Group, Radio, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, type RefObject, useEffect, useId, useRef, useState } from 'react';
import type { ApprovalCard, Approver, DecisionRequest, GrantTerms } from '../../bridge/approval';
import type { BusError } from '../../bridge/error';
import { entry } from '../../bridge/manifest';
import type { Names } from '../../bridge/names';
import type { Code } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useClient } from '../../queries/BusProvider';
import { useManifest } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { FieldErrors } from '../../ui/form/FieldErrors';
import { PinInput } from '../../ui/form/PinInput';
import { hasUnreadable } from '../../ui/form/unreadable';
import { useForm } from '../../ui/form/useForm';
import { keyed } from '../../ui/keys/keyed';
import { KeyLayer, useKeys } from '../../ui/keys/useKeys';
import { Problem } from '../../ui/page/Note';
import { lazyPart } from '../../ui/window/lazyPart';
import { useDomain } from '../domain';
import { boundsOf, termsOf } from '../grants/bounds';
import { currencyIn } from '../rows/rows';
import classes from './Approvals.module.css';
import { type FieldsOf, isByHand, isOwn, REQUEST, termsAskedFor, usedValues } from './cards';

const BoundsFields = lazyPart(() => import('../grants/BoundsFields'));
const TriedOut = lazyPart(() => import('../grants/TriedOut'));

/** No scanner sends it, and nothing is typed by it. */
const ALLOW = 'Shift+F8';

type Answer = Omit<DecisionRequest, 'approval_id'>;

/** Answers one card. The card disappears when the application closes it. */
export function useDecision({ approval_id }: ApprovalCard) {
  const client = useClient();
  return useMutation<unknown, BusError, Answer>({ mutationFn: (answer) => client.decide({ approval_id, ...answer }) });
}

/** The mutation that answers a card. */
type Decision = ReturnType<typeof useDecision>;

interface CardAnswersProps {
  card: ApprovalCard;
  names: Names;
  Fields?: FieldsOf;
  decide: Decision;
  deny: RefObject<HTMLButtonElement | null>;
}

/** The ways to answer a card: no, yes, yes with other values, and yes from now on. */
export function CardAnswers({ card, names, Fields, decide, deny }: CardAnswersProps) {
  const [way, setWay] = useState<'plain' | 'edit' | 'grant' | 'back'>('plain');
  const to = (next: typeof way) => {
    decide.reset();
    setWay(next);
  };
  const back = () => to('back');
  // The fields are there when the panel is: the first of them takes the focus.
  const toGrant = () => {
    const show = () => to('grant');
    BoundsFields.fetch().then(show, show);
  };
  useEffect(() => {
    if (way === 'back') deny.current?.focus({ preventScroll: true });
  }, [way, deny]);
  const plain = isOwn(card) || card.approvers !== undefined; // it is asked for by hand, or takes a PIN
  const asksForGrant = card.capability === REQUEST; // it may get less than it asks for
  const offered = plain ? undefined : asksForGrant ? termsAskedFor(card) : card.grant;
  const editable = Fields && !plain && !asksForGrant && !card.steps && card.arguments.length > 0;

  if (way === 'edit' && Fields) return <EditPanel {...{ card, names, Fields, decide }} onBack={back} />;
  if (way === 'grant' && offered) {
    return <GrantPanel {...{ card, offered, decide }} onBack={back} />;
  }
  return (
    <Answer {...{ card, decide, deny }}>
      {(editable || offered) && (
        <div className={classes.others}>
          {editable && (
            <Anchor component="button" type="button" size="xs" onClick={() => to('edit')}>
              {i18n._('Change the values…')}
            </Anchor>
          )}
          {offered && (
            <Anchor component="button" type="button" size="xs" onClick={toGrant}>
              {asksForGrant ? i18n._('Change the bounds…') : i18n._('Allow and don’t ask again for this…')}
            </Anchor>
          )}
        </div>
      )}
    </Answer>
  );
}

interface AnswerProps {
  card: ApprovalCard;
  decide: Decision;
  deny: RefObject<HTMLButtonElement | null>;
  /** Other ways to answer. */
  children?: ReactNode;
}

/** Deny, with an optional reason, or allow once; or approve by the PIN of a second approver. */
function Answer({ card, decide, deny, children }: AnswerProps) {
  const { values, change } = useForm(undefined, { reason: '' });
  const denied = () => decide.mutate({ answer: 'deny', reason: values.reason.trim() || undefined });
  const allowed = () => decide.mutate({ answer: 'allow' });
  const { error, isPending, variables } = decide;
  const own = isOwn(card);
  useKeys(card.approvers || isPending ? {} : { [ALLOW]: { act: allowed } });
  return (
    <div className={classes.answer}>
      {card.approvers && card.needs && <SecondApprover needs={card.needs} approvers={card.approvers} decide={decide} />}
      {error && <Problem message={error.message} hint={error.recoveryHint} />}
      <Group gap="xs">
        <Button
          ref={deny}
          variant="default"
          data-deny
          data-autofocus={(own && !card.approvers) || undefined}
          className={classes.deny}
          loading={isPending && variables.answer === 'deny'}
          disabled={isPending}
          onClick={denied}
          {...keyed('Escape')}
        >
          {own ? i18n._('Leave it') : i18n._('Deny')}
        </Button>
        {!own && (
          <TextInput
            className={classes.reason}
            aria-label={i18n._('Reason for denying')}
            placeholder={i18n._('Reason, if you deny')}
            value={values.reason}
            onChange={(event) => change({ reason: event.currentTarget.value })}
            onKeyDown={(event) => event.key === 'Enter' && denied()}
          />
        )}
        {!card.approvers && (
          <Button
            loading={isPending && variables.answer === 'allow'}
            disabled={isPending}
            onClick={allowed}
            data-allow
            className={classes.allow}
            {...keyed(ALLOW)}
          >
            {isByHand(card) ? card.title : i18n._('Allow once')}
          </Button>
        )}
      </Group>
      {children}
    </div>
  );
}

interface SecondApproverProps {
  /** Whose right it takes, such as "a manager". */
  needs: string;
  approvers: readonly Approver[];
  decide: Decision;
}

/** Asks for a second approver and their PIN. A wrong PIN is cleared at once. */
function SecondApprover({ needs, approvers, decide }: SecondApproverProps) {
  const { values, change } = useForm(undefined, {
    chosen: approvers.length === 1 ? approvers[0]?.id : undefined,
    pin: '',
  });
  const { chosen, pin } = values;
  const heading = useId();
  const { roleText, roleNeeded } = useDomain();
  const who = approvers.find(({ id }) => id === chosen);
  const { error, isPending } = decide;
  const missing = !who
    ? i18n._('Say who approves it.')
    : pin === ''
      ? i18n._('Type the PIN of {name}.', { name: who.name })
      : undefined;
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (who && missing === undefined && !isPending) decide.mutate({ answer: 'allow', approver: who.id, pin });
  };
  return (
    <form className={classes.secondApprover} onSubmit={send} aria-labelledby={heading}>
      <Text id={heading} fw={600}>
        {i18n._('Needs {needs}: who approves?', { needs: roleNeeded(approvers[0]?.role ?? '') ?? needs })}
      </Text>
      <Radio.Group
        aria-labelledby={heading}
        value={chosen ?? null}
        onChange={(id) => change({ chosen: id })}
        className={classes.approvers}
      >
        {approvers.map(({ id, name, role }) => (
          <Radio key={id} size="xs" value={id} label={role ? `${name}, ${roleText(role)}` : name} />
        ))}
      </Radio.Group>
      <div className={classes.pin}>
        <PinInput
          first
          label={who ? i18n._('PIN of {name}', { name: who.name }) : i18n._('PIN')}
          value={pin}
          onChange={(next) => change({ pin: next })}
          refused={error}
        />
        <ActionButton type="submit" loading={isPending && decide.variables.answer === 'allow'} disabledReason={missing}>
          {i18n._('Approve once')}
        </ActionButton>
      </div>
    </form>
  );
}

interface PanelProps {
  title: string;
  submit: string;
  children: ReactNode;
  error: BusError | null;
  isPending: boolean;
  onSubmit: () => void;
  onBack: () => void;
}

/** A form inside a card; Escape goes back to the plain answer. */
function Panel({ title, submit, children, error, isPending, onSubmit, onBack }: PanelProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>('input, button')?.focus(), []);
  return (
    <KeyLayer kind="card" within={form} onEscape={onBack}>
      <form
        ref={form}
        className={classes.panel}
        aria-label={title}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!isPending && !hasUnreadable(event.currentTarget)) onSubmit();
        }}
      >
        <div className={classes.panelBody}>
          <Text size="xs" fw={600} mb={6}>
            {title}
          </Text>
          {children}
        </div>
        <div className={classes.panelFoot}>
          {error && <Problem message={error.message} hint={error.recoveryHint} />}
          <Group gap="xs" justify="space-between">
            <Button variant="default" onClick={onBack}>
              {i18n._('Back')}
            </Button>
            <Button type="submit" loading={isPending}>
              {submit}
            </Button>
          </Group>
        </div>
      </form>
    </KeyLayer>
  );
}

interface EditPanelProps {
  card: ApprovalCard;
  names: Names;
  Fields: FieldsOf;
  decide: Decision;
  onBack: () => void;
}

/** The codes of what is wrong with the values themselves. */
const wrongValues: readonly Code[] = ['VALIDATION', 'PRECONDITION_FAILED', 'NOT_FOUND'];

/**
 * Edits the values of a call before it is allowed: the card comes again with the new effects. Values
 * that would be refused are not sent, since the call would end with them.
 */
function EditPanel({ card, names, Fields, decide, onBack }: EditPanelProps) {
  const client = useClient();
  const { input_schema: schema, sources } = entry(useManifest(), card.capability) ?? {};
  const form = useForm(undefined, { values: usedValues(card.arguments) });
  const { values } = form.values;
  const asIs = form.changes.values === undefined; // to send it would be to allow it
  const send = () => decide.mutate({ answer: 'allow', arguments: values });
  const tried = useMutation<unknown, BusError>({
    mutationFn: () => client.invokeByName(card.capability, values, { source: 'Approvals', dryRun: true }),
    onSuccess: send,
    onError: ({ code }) => wrongValues.includes(code) || send(), // others are for the call itself
  });
  const error = tried.error && wrongValues.includes(tried.error.code) ? tried.error : decide.error;
  return (
    <Panel
      title={i18n._('Change the values; you see what they come to before anything is done')}
      submit={i18n._('See what these come to')}
      error={null}
      isPending={tried.isPending || decide.isPending}
      onSubmit={() => (asIs ? onBack() : tried.mutate())}
      onBack={onBack}
    >
      <FieldErrors call={{ capability: card.capability, error }}>
        <Fields {...{ schema, sources, values, names }} onChange={(next) => form.change({ values: next })} />
      </FieldErrors>
    </Panel>
  );
}

interface GrantPanelProps {
  card: ApprovalCard;
  /** The bounds as they are offered, or as the assistant asks for them. */
  offered: GrantTerms;
  decide: Decision;
  onBack: () => void;
}

/** The bounds in which the same is not asked again; they can be changed before they are given. */
function GrantPanel({ card, offered, decide, onBack }: GrantPanelProps) {
  const { values, change } = useForm(undefined, { bounds: boundsOf(offered, currencyIn(card.facts)) });
  const { bounds } = values;
  const asksForIt = card.grant === undefined;
  const capability = asksForIt ? String(usedValues(card.arguments).capability) : card.capability;
  return (
    <Panel
      title={
        asksForIt
          ? i18n._('Narrow the bounds; you see them before anything is given')
          : i18n._('Do this now, and do not ask again within these bounds')
      }
      submit={asksForIt ? i18n._('See it with these bounds') : i18n._('Allow within these bounds')}
      error={decide.error}
      isPending={decide.isPending}
      onSubmit={() => decide.mutate({ answer: 'grant', grant: termsOf(bounds) as GrantTerms })}
      onBack={onBack}
    >
      {card.grantee && (
        <TriedOut
          of={{ grant: { grantee: card.grantee, capability: card.capability, ...termsOf(bounds) } }}
          source="Approvals"
        />
      )}
      <BoundsFields
        {...{ bounds, capability, conversation: card.conversation_id }}
        money={bounds.currency !== undefined}
        onChange={(next) => change({ bounds: next })}
      />
    </Panel>
  );
}
