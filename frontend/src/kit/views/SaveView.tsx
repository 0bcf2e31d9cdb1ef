import { IconBookmark } from '@tabler/icons-react';
import { useState } from 'react';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { IconAction } from '../../ui/form/IconAction';
import { NameView } from './NameView';
import { useKeepViews } from './useViews';
import { said } from './view';

interface SaveViewProps {
  /** The capability that lists. */
  of: string;
  values: JsonObject;
}

/** Saves what a list is narrowed to and sorted by under a name. */
export function SaveView({ of, values }: SaveViewProps) {
  const [naming, setNaming] = useState(false);
  const keep = useKeepViews();
  if (!keep) return null;
  return (
    <>
      <IconAction
        label={i18n._('Save this view')}
        disabledReason={
          Object.keys(said(values)).length === 0 ? i18n._('Search, filter or sort the list first.') : undefined
        }
        onClick={() => setNaming(true)}
      >
        <IconBookmark size={17} aria-hidden />
      </IconAction>
      {naming && <NameView view={{ list: of, values: said(values) }} onClose={() => setNaming(false)} />}
    </>
  );
}
