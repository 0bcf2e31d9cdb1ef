import { VisuallyHidden } from '@mantine/core';
import { i18n } from '../../language/i18n';

/** The frame of a window whose shop is being opened: what index.html shows before there is code, drawn on. */
export function Opening() {
  return (
    <div className="opening">
      <VisuallyHidden role="status">{i18n._('Opening the shop')}</VisuallyHidden>
    </div>
  );
}
