import { MantineProvider } from '@mantine/core';
import { useViewportSize } from '@mantine/hooks';
import { Notifications } from '@mantine/notifications';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { windowBackend } from '../bridge/wailsBackend';
import { KitProvider } from '../kit/KitProvider';
import { i18n } from '../language/i18n';
import { shop } from '../shop/domain';
import { keepFocus } from '../ui/keys/keepFocus';
import { Empty } from '../ui/page/Note';
import { useSizes } from '../ui/theme/sizes';
import { theme, variables } from '../ui/theme/theme';
import { containNavigation } from '../ui/window/containNavigation';
import { forgetOldStyles } from '../ui/window/oldStyles';
import { App } from './App';
import { WindowBoundary } from './shell/BrokenPart';

/** Opens the window in the page. */
export function open(): void {
  containNavigation(window);
  keepFocus(window);
  forgetOldStyles(window);
  const root = document.getElementById('root');
  if (!root) return;
  const all = (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <Notices />
      <KitProvider
        backend={windowBackend()}
        domain={shop}
        otherwise={
          <Empty title={i18n._('This page belongs to Deskhand')}>
            {i18n._('Open it with the application, not in a browser.')}
          </Empty>
        }
      >
        <WindowBoundary>
          <App />
        </WindowBoundary>
      </KitProvider>
    </MantineProvider>
  );
  flushSync(() => createRoot(root).render(all));
  document.querySelector('body > .opening')?.remove();
}

/** The width of the window in rem below which the dock lies below the page, as in Dock.module.css. */
const DOCK_BELOW = 56;

/** Where notices are shown: never on the dock, where a card may wait. */
function Notices() {
  const { scale } = useSizes();
  const { width } = useViewportSize();
  const below = width <= DOCK_BELOW * 16 * scale;
  return <Notifications position={below ? 'top-left' : 'bottom-left'} limit={3} containerWidth={320} />;
}
