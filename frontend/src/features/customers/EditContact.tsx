import type { Response } from '../../bridge/capabilities';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { FormDialog } from '../../ui/form/FormDialog';
import { draftOf, missing } from '../../ui/form/fields';
import { TextFields } from '../../ui/form/TextFields';
import { useForm } from '../../ui/form/useForm';
import { contactFields } from './contact';

interface EditContactProps {
  customer: Response<'customer.get'>;
  onClose: () => void;
}

/** Changes how a customer is called and reached. */
export function EditContact({ customer, onClose }: EditContactProps) {
  const { values, changes, change } = useForm(`contact of ${customer.id}`, draftOf(contactFields, customer));
  const update = useInvoke('customer.update', { source: 'EditContact' });
  const nothing = Object.keys(changes).length === 0 ? i18n._('Nothing is changed yet.') : undefined;
  return (
    <FormDialog
      title={i18n._('Change contact')}
      submit={i18n._('Save')}
      disabledReason={missing(contactFields, values) ?? nothing}
      call={update}
      onSubmit={() => update.mutate({ customerId: customer.id, ...changes }, { onDone: onClose })}
      onClose={onClose}
    >
      <TextFields first at="" fields={contactFields} draft={values} onChange={change} />
    </FormDialog>
  );
}
