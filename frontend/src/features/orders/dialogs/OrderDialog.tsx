import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { NoteDialog } from '../../../shop/NoteDialog';
import type { ActionName } from '../page/actions';
import { AdvanceOrder } from './AdvanceOrder';
import { CancelOrder } from './CancelOrder';
import { ChangeAddress } from './ChangeAddress';
import { ChangePayment } from './ChangePayment';
import { OrderAgain } from './OrderAgain';
import { ReceiveExchange } from './ReceiveExchange';
import { ReceiveReturn } from './ReceiveReturn';
import { RecordParcel } from './RecordParcel';
import { ReturnItems } from './ReturnItems';
import { SwapItems } from './SwapItems';

interface OrderDialogProps {
  action: ActionName;
  order: Response<'order.get'>;
  onClose: () => void;
}

/** The dialog of an action: what it needs to know, and what it comes to. */
export function OrderDialog({ action, order, onClose }: OrderDialogProps) {
  const both = { order, onClose };
  switch (action) {
    case 'order.process':
    case 'order.deliver':
      return <AdvanceOrder step={action} {...both} />;
    case 'order.fulfil':
      return <RecordParcel {...both} />;
    case 'order.changeAddress':
      return <ChangeAddress {...both} />;
    case 'order.changePayment':
      return <ChangePayment {...both} />;
    case 'order.changeItems':
    case 'order.exchange':
      return <SwapItems how={action} {...both} />;
    case 'order.return':
      return <ReturnItems {...both} />;
    case 'order.receiveReturn':
      return <ReceiveReturn {...both} />;
    case 'order.receiveExchange':
      return <ReceiveExchange {...both} />;
    case 'order.addNote':
      return (
        <NoteDialog
          capability={action}
          about={{ orderId: order.id }}
          id={order.id}
          title={i18n._('Note on order {order}', { order: order.id })}
          source="OrderActions"
          onClose={onClose}
        />
      );
    case 'cart.fromOrder':
      return <OrderAgain {...both} />;
    case 'order.cancel':
      return <CancelOrder orderId={order.id} onClose={onClose} />;
  }
}
