import { useManifest } from '../../../asking/useManifest';
import type { Response } from '../../../door/capabilities';
import { entry } from '../../../door/manifest';
import { i18n } from '../../../language/i18n';
import { ActionButton } from '../../../ui/form/ActionButton';
import { useLasting } from '../../../ui/window/useKept';
import { OrderDialog } from '../dialogs/OrderDialog';
import classes from '../Orders.module.css';
import { type ActionName, actionNames, actionReason, likeliest, orderActions } from './actions';

/** The actions on an order; an unavailable one says why. */
export function OrderActions({ order }: { order: Response<'order.get'> }) {
  const [open, setOpen] = useLasting<ActionName | undefined>(`action on ${order.id}`, undefined);
  const manifest = useManifest();
  const reasons = Object.fromEntries(
    actionNames.map((name) => [name, actionReason(name, entry(manifest, name), order.actions)]),
  ) as Record<ActionName, string | undefined>;
  const first = likeliest(reasons);
  return (
    // biome-ignore lint/a11y/useSemanticElements: these buttons are no fields of a form
    <div role="group" aria-label={i18n._('Actions')} className={classes.actions}>
      {actionNames.map((name) => (
        <ActionButton
          key={name}
          variant={name === first ? 'filled' : 'default'}
          disabledReason={reasons[name]}
          onClick={() => setOpen(name)}
        >
          {orderActions[name]}
        </ActionButton>
      ))}
      {open && <OrderDialog action={open} order={order} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
