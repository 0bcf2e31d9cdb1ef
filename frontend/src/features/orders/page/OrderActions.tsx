import { useManifest } from '../../../asking/useManifest';
import type { Response } from '../../../door/capabilities';
import { entry } from '../../../door/manifest';
import { i18n } from '../../../language/i18n';
import { ActionButton } from '../../../ui/form/ActionButton';
import { useLasting } from '../../../ui/window/useKept';
import { OrderDialog } from '../dialogs/OrderDialog';
import classes from '../Orders.module.css';
import { type ActionName, actionNames, actionReason, arranged, orderActions, type Reasons } from './actions';
import { MoreActions } from './MoreActions';

/** The actions on an order: its next step, what is often done, and the rest behind "More". */
export function OrderActions({ order }: { order: Response<'order.get'> }) {
  const [open, setOpen] = useLasting<ActionName | undefined>(`action on ${order.id}`, undefined);
  const manifest = useManifest();
  const reasons = Object.fromEntries(
    actionNames.map((name) => [name, actionReason(name, entry(manifest, name), order.actions)]),
  ) as Reasons;
  const { next, often, seldom, impossible } = arranged(order.status, reasons);
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields of a form
    <div role="group" aria-label={i18n._('Actions')} className={classes.actions}>
      {next && <ActionButton onClick={() => setOpen(next)}>{orderActions[next]}</ActionButton>}
      {often.map((name) => (
        <ActionButton key={name} variant="default" onClick={() => setOpen(name)}>
          {orderActions[name]}
        </ActionButton>
      ))}
      <MoreActions possible={seldom} impossible={impossible} reasons={reasons} onChoose={setOpen} />
      {open && <OrderDialog action={open} order={order} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
