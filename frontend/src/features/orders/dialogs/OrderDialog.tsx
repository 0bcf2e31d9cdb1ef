import { Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { CapabilityDialog } from '../../../kit/actions/CapabilityDialog';
import { i18n } from '../../../language/i18n';
import type { ActionName } from '../page/actions';
import { CancelOrder } from './CancelOrder';
import { ChangeAddress } from './ChangeAddress';
import { ChangePayment } from './ChangePayment';
import { OrderAgain } from './OrderAgain';
import { ReceiveExchange } from './ReceiveExchange';
import { ReceiveReturn } from './ReceiveReturn';
import { RecordParcel } from './RecordParcel';
import { ReturnItems } from './ReturnItems';
import { SwapItems } from './SwapItems';

const steps = {
  'order.process': {
    title: i18n._('Mark as packed'),
    about: i18n._('It is packed: nothing about it can be changed or cancelled then, unless you undo this.'),
  },
  'order.deliver': {
    title: i18n._('Mark as delivered'),
    about: i18n._('The customer has it: from now on items can be returned or exchanged.'),
  },
} as const;

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
      return (
        <CapabilityDialog
          name={action}
          source="OrderActions"
          about={{ orderId: order.id }}
          title={i18n._('{step}: {order}', { step: steps[action].title, order: order.id })}
          submit={steps[action].title}
          onClose={onClose}
        >
          <Text>{steps[action].about}</Text>
        </CapabilityDialog>
      );
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
        <CapabilityDialog
          name={action}
          source="OrderActions"
          about={{ orderId: order.id }}
          title={i18n._('Note on order {order}', { order: order.id })}
          submit={i18n._('Add the note')}
          onClose={onClose}
        />
      );
    case 'cart.fromOrder':
      return <OrderAgain {...both} />;
    case 'order.cancel':
      return <CancelOrder orderId={order.id} onClose={onClose} />;
  }
}
