import { i18n } from '../../../language/i18n';
import { lazyPart } from '../../../ui/window/lazyPart';

/** The form of a capability, with the code of forms from schemas. */
export const CapabilityDialog = lazyPart(
  () => import('../../../kit/actions/CapabilityDialog'),
  () => i18n._('Opening'),
);
