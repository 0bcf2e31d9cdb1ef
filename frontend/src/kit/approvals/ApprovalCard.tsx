import { Anchor, Text, VisuallyHidden } from '@mantine/core';
import { type ReactNode, type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { ApprovalCard as Card } from '../../bridge/approval';
import { riskText } from '../../bridge/manifest';
import { i18n } from '../../language/i18n';
import { KeyLayer } from '../../ui/keys/useKeys';
import { useSecondPress } from '../../ui/keys/useSecondPress';
import { Badge } from '../../ui/page/Badge';
import { RowChanges } from '../rows/RowChanges';
import classes from './Approvals.module.css';
import { CardAnswers, useDecision } from './CardAnswers';
import { CallContent, WhatIsSent } from './CardContent';
import { type FieldsOf, isByHand, isItemised, isOwn, mayTakeFocus, REQUEST, timeLeft } from './cards';
import { useSaidCard } from './useSaidCard';

/** One question: what would happen, with every value, and the person's answer. Without Fields the values stay. */
export function ApprovalCard({ card: asked, Fields }: { card: Card; Fields?: FieldsOf }) {
  const sentenceId = useId();
  const element = useRef<HTMLElement>(null);
  const deny = useRef<HTMLButtonElement>(null);
  const { said: card, names } = useSaidCard(asked);
  const decide = useDecision(card);
  const mark = riskText(card);
  useCardFocus(element, deny);
  useSecondPress(element);
  return (
    <KeyLayer kind="card" within={element} onEscape={() => decide.isPending || decide.mutate({ answer: 'deny' })}>
      <article ref={element} className={classes.card} data-card aria-labelledby={sentenceId}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
        <section className={classes.body} tabIndex={0} aria-labelledby={sentenceId}>
          <div className={classes.kind}>
            {!isByHand(card) && (
              <Text size="xs" c="dimmed">
                {card.title}
              </Text>
            )}
            {mark && <Badge color="brick">{mark}</Badge>}
            <Countdown
              expiresAt={card.expires_at}
              disabled={decide.isPending}
              onMore={isOwn(card) ? undefined : () => decide.mutate({ answer: 'again' })}
            />
          </div>
          <h2 id={sentenceId} className={classes.sentence}>
            {card.sentence}
          </h2>
          {card.client && (
            <Text size="xs" mb="xs">
              {i18n._('The assistant of {client} asks, another program.', { client: card.client })}
            </Text>
          )}
          {card.why && (
            <div className={classes.changed}>
              <Text size="xs" fw={600}>
                {i18n._('Why you are asked')}
              </Text>
              <Text size="xs">{card.why}</Text>
            </div>
          )}
          {card.changed && card.changed.length > 0 && (
            <div className={classes.changed}>
              <Text size="xs" fw={600}>
                {i18n._('This changed while you were asked')}
              </Text>
              {card.changed.map((change) => (
                <Text key={change} size="xs">
                  {change}
                </Text>
              ))}
            </div>
          )}
          <CallContent card={card} />
          {card.data !== undefined && <WhatIsSent data={card.data} />}
          {card.moved && (
            <Rows heading={i18n._('Other numbers than on the copy')} folded={card.moved.length > MANY_ROWS}>
              <RowChanges rows={card.moved} names={names} />
            </Rows>
          )}
          {card.capability !== REQUEST && card.effects && card.effects.length > 0 && (
            <Rows
              heading={i18n._('What it changes')}
              fold={i18n._('{count, plural, one {The changed row} other {All # changed rows}}', {
                count: card.effects.length,
              })}
              folded={isItemised(card) || card.effects.length > MANY_ROWS}
            >
              <RowChanges rows={card.effects} facts={card.facts} names={names} />
            </Rows>
          )}
        </section>
        <CardAnswers {...{ card, Fields, decide, deny }} names={names} />
      </article>
    </KeyLayer>
  );
}

/** More rows than a person reads on a card: what the steps do says it. */
const MANY_ROWS = 10;

interface RowsProps {
  heading: string;
  /** What the fold says. Default: the heading. */
  fold?: string;
  folded: boolean;
  children: ReactNode;
}

/** Rows under a heading, or one fold away: where a bill says what they come to, or there are many. */
function Rows({ heading, fold = heading, folded, children }: RowsProps) {
  if (!folded) {
    return (
      <>
        <h3 className={classes.heading}>{heading}</h3>
        {children}
      </>
    );
  }
  return (
    <details className={classes.fold}>
      <summary>{fold}</summary>
      {children}
    </details>
  );
}

/** The ms before it expires at which a card is announced again. */
const SOON = 60_000;

interface CountdownProps {
  expiresAt: number;
  disabled: boolean;
  /** Asks anew, with what it comes to then. */
  onMore?: () => void;
}

/** The time left until the card expires, and before its end a way to more. */
function Countdown({ expiresAt, disabled, onMore }: CountdownProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const tick = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(tick);
  }, []);
  const soon = expiresAt - now <= SOON;
  return (
    <>
      <Text size="xs" c={soon ? undefined : 'dimmed'} fw={soon ? 600 : undefined} className={classes.countdown}>
        {i18n._('expires in {time}', { time: timeLeft(expiresAt, now) })}
      </Text>
      {soon && onMore && (
        <Anchor component="button" type="button" size="xs" disabled={disabled} onClick={onMore}>
          {i18n._('More time')}
        </Anchor>
      )}
      <VisuallyHidden role="alert">{soon && i18n._('This question expires within a minute.')}</VisuallyHidden>
    </>
  );
}

/**
 * Moves the focus to Deny on a new card, unless that interrupts typing; and gives
 * it back to where it was when the card goes.
 */
function useCardFocus(card: RefObject<HTMLElement | null>, deny: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = card.current;
    if (mayTakeFocus(before)) deny.current?.focus({ preventScroll: true });
    return () => {
      const now = document.activeElement; // body: the pressed button is disabled during the answer
      const had = !now || now === document.body || element?.contains(now);
      if (had && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, [card, deny]);
}
