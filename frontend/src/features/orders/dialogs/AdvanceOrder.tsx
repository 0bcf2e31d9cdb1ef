import { Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { useInvoke } from '../../../queries/useInvoke';
import { FormDialog } from '../../../ui/form/FormDialog';

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

interface AdvanceOrderProps {
  step: keyof typeof steps;
  order: Response<'order.get'>;
  onClose: () => void;
}

/** Brings an order one step on. */
export function AdvanceOrder({ step, order, onClose }: AdvanceOrderProps) {
  const move = useInvoke(step, { source: 'OrderActions' });
  const { title, about } = steps[step];
  return (
    <FormDialog
      title={i18n._('{step}: {order}', { step: title, order: order.id })}
      submit={title}
      call={move}
      onSubmit={() => move.mutate({ orderId: order.id }, { onDone: onClose })}
      onClose={onClose}
    >
      <Text>{about}</Text>
    </FormDialog>
  );
}
