import { VisuallyHidden } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { entry } from '../bridge/manifest';
import { setTimeZone } from '../language/dates';
import { i18n, isChoice, keepChoice } from '../language/i18n';
import { own } from '../language/own';
import { Frozen } from '../queries/frozen';
import { useBusEvent } from '../queries/useBusEvent';
import { useEntry, useManifestQuery } from '../queries/useManifest';
import { useSession } from '../shop/session';
import { lazyPart } from '../ui/window/lazyPart';
import { Desk } from './Desk';
import { CannotOpen } from './session/CannotOpen';
import { LockScreen } from './session/LockScreen';
import { SignIn } from './session/SignIn';
import { UnderLinkBar } from './shell/LinkBar';
import { useAnotherDesk } from './shell/useAnotherDesk';
import { useThemeOfApplication } from './shell/useColorScheme';
import { useSizesOfApplication, useTextSizeKeys } from './shell/useSizes';
import { useTrouble } from './shell/useTrouble';
import { useUnhandled } from './shell/useUnhandled';

/** Once in the life of a shop. */
const FirstRun = lazyPart(() => import('./setup/FirstRun'), Opening);

/** A folder that is no shop's: the logs of many. */
const ArchiveWindow = lazyPart(() => import('./archive/ArchiveWindow'), Opening);

/** The window: the desk, the first run in a folder without a shop, or the sign-in; of an archive its logs. */
export function App() {
  const session = useSession();
  const zone = session?.shop?.timeZone;
  setTimeZone(zone);
  const [stands, setStands] = useState(false);
  const locked = stands && session?.lockedFor !== undefined;
  const manifest = useManifestQuery(!locked);
  const queries = useQueryClient();
  const anew = () => queries.resetQueries(); // including queries that failed with it
  useThemeOfApplication();
  useLanguageOfApplication();
  useSizesOfApplication();
  useTextSizeKeys();
  useNotices();
  useAnotherDesk();
  useTrouble();
  useUnhandled();
  if (entry(manifest.data, 'archive.list')) return <ArchiveWindow />;
  if (session && entry(manifest.data, 'shop.setUp')?.available) return <FirstRun />;
  const withoutDesk = () => {
    if (manifest.error && !manifest.data)
      return <CannotOpen error={manifest.error} trying={manifest.isFetching} onRetry={anew} />;
    if (manifest.isPending || !session) return <Opening />;
    return session.locked && !locked ? <SignIn /> : undefined;
  };
  const part = withoutDesk();
  if (part) return <UnderLinkBar>{part}</UnderLinkBar>;
  return (
    <>
      <Frozen value={locked}>
        <Desk key={zone} onStands={setStands} />
      </Frozen>
      {locked && <LockScreen />}
    </>
  );
}

/** Follows the language the application holds: another one is spoken by the window opened anew, at the same place. */
function useLanguageOfApplication(): void {
  const current = useEntry('language.set')?.current;
  useEffect(() => {
    if (isChoice(current) && keepChoice(current)) location.reload();
  }, [current]);
}

const colors: Record<string, string> = { error: 'brick', warning: 'amber' };

/** Shows the notifications of the application. */
function useNotices(): void {
  useBusEvent('notification', ({ level = 'info', message, request_id }) => {
    notifications.show({
      id: request_id ? `${request_id} ${message}` : undefined,
      message,
      color: own(colors, level) ?? 'pine',
      autoClose: level === 'error' ? false : 6000,
      withBorder: true,
    });
  });
}

/** The frame of a window whose shop is being opened, drawn like index.html before the code is there. */
function Opening() {
  return (
    <div className="opening">
      <VisuallyHidden role="status">{i18n._('Opening the shop')}</VisuallyHidden>
    </div>
  );
}
