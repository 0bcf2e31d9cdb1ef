import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Frozen } from './bus/frozen';
import { useManifestQuery } from './bus/hooks';
import { entry } from './bus/manifest';
import { useSession } from './bus/session';
import { Desk } from './Desk';
import { CannotOpen } from './features/session/CannotOpen';
import { LockScreen } from './features/session/LockScreen';
import { SignIn } from './features/session/SignIn';
import { useQuietKeys } from './features/session/useQuietKeys';
import { FirstRun } from './features/setup/FirstRun';
import { Opening } from './features/shell/Opening';
import { useThemeOfApplication } from './features/shell/useColorScheme';
import { useLanguageOfApplication } from './features/shell/useLanguage';
import { useNotices } from './features/shell/useNotices';
import { useTrouble } from './features/shell/useTrouble';

/** The window: the desk; on an empty folder the choice of a shop to stand at; with nobody there, who it is. */
export function App() {
  const session = useSession();
  const [stands, setStands] = useState(false);
  const locked = stands && session?.lockedFor !== undefined;
  const manifest = useManifestQuery(!locked);
  const queries = useQueryClient();
  const anew = () => queries.resetQueries(); // whatever failed with it is asked for too
  useThemeOfApplication();
  useLanguageOfApplication();
  useNotices();
  useTrouble();
  useQuietKeys(locked);
  if (manifest.error && !manifest.data) {
    return <CannotOpen error={manifest.error} trying={manifest.isFetching} onRetry={anew} />;
  }
  if (manifest.isPending || !session) return <Opening />;
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
