import { useState } from 'react';
import { Frozen } from './bus/frozen';
import { useManifestQuery } from './bus/hooks';
import { entry } from './bus/manifest';
import { useSession } from './bus/session';
import { Desk } from './Desk';
import { LockScreen } from './features/session/LockScreen';
import { SignIn } from './features/session/SignIn';
import { useQuietKeys } from './features/session/useQuietKeys';
import { FirstRun } from './features/setup/FirstRun';
import { useThemeOfApplication } from './features/shell/useColorScheme';
import { useNotices } from './features/shell/useNotices';
import { Loading } from './ui/Loading';

/** The window: the desk; on an empty folder the choice of a shop to stand at; with nobody there, who it is. */
export function App() {
  const session = useSession();
  const [stands, setStands] = useState(false);
  const locked = stands && session?.lockedFor !== undefined;
  const manifest = useManifestQuery(!locked);
  useThemeOfApplication();
  useNotices();
  useQuietKeys(locked);
  if (manifest.isPending || !session) return <Loading label="Opening the shop" />;
  if (entry(manifest.data, 'shop.setUp')?.available) return <FirstRun />;
  if (session.locked && !locked) return <SignIn />;
  return (
    <>
      <Frozen value={locked}>
        <Desk onStands={setStands} />
      </Frozen>
      {locked && <LockScreen />}
    </>
  );
}
