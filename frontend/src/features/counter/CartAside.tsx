import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { refusal } from '../../bridge/manifest';
import { CapabilityDialog } from '../../kit/actions/CapabilityDialog';
import { useWhenPossible } from '../../kit/actions/useWhenPossible';
import { Undo } from '../../kit/undo/Undo';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { useEntry, useRefusal } from '../../queries/useManifest';
import { ActionButton } from '../../ui/form/ActionButton';
import { keyed } from '../../ui/keys/keyed';
import { useKeys } from '../../ui/keys/useKeys';
import classes from './Counter.module.css';
import { DiscountDialog } from './DiscountDialog';
import { HeldCarts } from './HeldCarts';
import { HoldCart } from './HoldCart';
import { NoteDialog } from './NoteDialog';

interface CartAsideProps {
  cart: Response<'cart.getSummary'>;
  /** Called when there is another cart: the next thing is a product. */
  onDone: () => void;
}

/** Puts the cart aside, and goes on with one that was. */
export function CartAside({ cart, onDone }: CartAsideProps) {
  const [open, setOpen] = useState<'hold' | 'held' | 'discount' | 'note' | 'open'>();
  const [cleared, setCleared] = useState<{ requestId: string; empty: boolean }>();
  const may = {
    hold: useEntry('cart.hold') !== undefined,
    resume: useEntry('cart.resume') !== undefined,
    clear: useEntry('cart.clear') !== undefined,
    discount: useEntry('cart.applyDiscount') !== undefined,
  };
  const mayOpen = useEntry('cart.addOpenItem')?.available ?? false;
  const whenPossible = useWhenPossible();
  const clear = useInvoke('cart.clear', { source: 'CartAside', once: true });
  const unheld = useRefusal('cart.resume'); // the person may not, or no cart is on hold
  const nothing = cart.items.length === 0 ? i18n._('The cart is empty.') : undefined;
  const close = () => setOpen(undefined);
  const done = () => {
    close();
    onDone();
  };
  // The undo is there from when the cart is empty until something is in it.
  if (cleared && !cleared.empty && nothing) setCleared({ ...cleared, empty: true });
  if (cleared?.empty && !nothing) setCleared(undefined);
  const held = (label: string) => {
    notifications.show({ message: i18n._('{label} is on hold.', { label }), color: 'pine', withBorder: true });
    done();
  };
  // What is not possible is left to the key of the capability, which says why.
  useKeys({
    ...(may.hold && !nothing && { F6: { does: i18n._('Hold'), act: () => setOpen('hold') } }),
    ...(may.resume && { F7: { does: i18n._('Held carts'), act: () => setOpen('held') } }),
    'Shift+F2': { does: i18n._('Open item'), act: () => whenPossible('cart.addOpenItem', () => setOpen('open')) },
    ...(may.discount && !nothing && { F10: { does: i18n._('Discount'), act: () => setOpen('discount') } }),
  });
  return (
    <div className={classes.aside}>
      <ActionButton
        variant="default"
        disabledReason={may.hold ? nothing : refusal(undefined)}
        shortcut="F6"
        onClick={() => setOpen('hold')}
      >
        {i18n._('Hold')}
      </ActionButton>
      <ActionButton variant="default" disabledReason={unheld} shortcut="F7" onClick={() => setOpen('held')}>
        {i18n._('Held carts')}
      </ActionButton>
      {mayOpen && (
        <Button variant="default" {...keyed('Shift+F2')} onClick={() => setOpen('open')}>
          {i18n._('Open item')}
        </Button>
      )}
      <ActionButton
        variant="default"
        disabledReason={may.clear ? nothing : refusal(undefined)}
        loading={clear.isPending}
        onClick={() =>
          clear.mutate(
            {},
            {
              onSuccess: ({ request_id }) => {
                setCleared(request_id ? { requestId: request_id, empty: false } : undefined);
                onDone();
              },
            },
          )
        }
      >
        {i18n._('Clear')}
      </ActionButton>
      {cleared && nothing && <Undo source="CartAside" requestId={cleared.requestId} what={i18n._('Clear')} announced />}
      {!nothing && may.discount && (
        <>
          <Button variant="default" {...keyed('F10')} onClick={() => setOpen('discount')}>
            {i18n._('Discount')}
          </Button>
          <Button variant="default" onClick={() => setOpen('note')}>
            {i18n._('Note')}
          </Button>
        </>
      )}
      {open === 'open' && <CapabilityDialog name="cart.addOpenItem" source="CartAside" onClose={done} />}
      {open === 'discount' && <DiscountDialog cart={cart} onClose={done} />}
      {open === 'note' && <NoteDialog cart={cart} onClose={done} />}
      {open === 'hold' && <HoldCart cart={cart} onClose={close} onHeld={held} />}
      {open === 'held' && <HeldCarts onClose={close} onResumed={done} />}
    </div>
  );
}
