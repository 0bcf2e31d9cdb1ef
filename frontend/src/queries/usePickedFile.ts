import { useState } from 'react';
import type { PickedFile } from '../bridge/client';
import { asBusError, type BusError } from '../bridge/error';
import { useClient } from './BusProvider';

/** A file that was chosen: it can be named to a capability. */
type Chosen = PickedFile & { file: string };

/** Lets a person choose a file in the dialog of the system, unless one is given; the page knows it by a token alone. */
export function usePickedFile(kind: string, first?: Chosen) {
  const client = useClient();
  const [picked, setPicked] = useState(first);
  const [unread, setUnread] = useState<BusError>();
  const pick = async (then?: (chosen: Chosen) => void) => {
    try {
      const { file, ...more } = await client.pickFile(kind);
      setUnread(undefined);
      if (!file) return; // the person thought better of it
      setPicked({ file, ...more });
      then?.({ file, ...more });
    } catch (thrown) {
      setUnread(asBusError(thrown));
    }
  };
  return { picked, unread, pick, clear: () => setPicked(undefined) };
}
