import { useRef } from 'react';
import type { Response } from '../../../bridge/capabilities';
import { entry } from '../../../bridge/manifest';
import { i18n } from '../../../language/i18n';
import { useManifest } from '../../../queries/useManifest';
import { ActionButton } from '../../../ui/form/ActionButton';
import { useKeys } from '../../../ui/keys/useKeys';
import { useLasting } from '../../../ui/window/useKept';
import { OrderDialog } from '../dialogs/OrderDialog';
import classes from '../Orders.module.css';
import {
  type ActionName,
  actionKeys,
  actionNames,
  actionReason,
  arranged,
  orderActions,
  type Reasons,
} from './actions';
import { MoreActions } from './MoreActions';

/** The actions on an order: its next step, what is often done, and the rest behind "More". */
export function OrderActions({ order }: { order: Response<'order.get'> }) {
  const [open, setOpen] = useLasting<ActionName | undefined>(`action on ${order.id}`, undefined);
  const manifest = useManifest();
  const reasons = Object.fromEntries(
    actionNames.map((name) => [name, actionReason(name, entry(manifest, name), order.actions)]),
  ) as Reasons;
  const { next, often, seldom, impossible } = arranged(order.status, reasons);
  const group = useRef<HTMLDivElement>(null);
  const shown = next ? [next, ...often] : often;
  const keyed = shown.toReversed().flatMap((name) => {
    const key = actionKeys[name];
    const act = () => {
      group.current?.querySelector<HTMLElement>(`[aria-keyshortcuts=${key}]`)?.focus(); // where a dialog brings it back to
      setOpen(name);
    };
    return key ? [[key, { does: orderActions[name], act }] as const] : [];
  });
  useKeys(Object.fromEntries(keyed));
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields of a form
    <div ref={group} role="group" aria-label={i18n._('Actions')} className={classes.actions}>
      {shown.map((name) => (
        <ActionButton
          key={name}
          variant={name === next ? 'filled' : 'default'}
          onClick={() => setOpen(name)}
          shortcut={actionKeys[name]}
        >
          {orderActions[name]}
        </ActionButton>
      ))}
      <MoreActions possible={seldom} impossible={impossible} reasons={reasons} onChoose={setOpen} />
      {open && <OrderDialog action={open} order={order} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
