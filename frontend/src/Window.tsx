import '@fontsource/inter/400.css';
import '@fontsource/inter/500.css';
import '@fontsource/inter/600.css';
import './ui/mantine';
import '@mantine/notifications/styles.css';
import './ui/global.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { App } from './App';
import { BusProvider } from './bus/BusProvider';
import { windowBackend } from './bus/backend';
import { Client } from './bus/client';
import { WindowBoundary } from './features/shell/BrokenPart';
import { i18n } from './language/language';
import { containNavigation } from './ui/containment';
import { Empty } from './ui/Note';
import { forgetOldStyles } from './ui/oldStyles';
import { theme, variables } from './ui/theme';

/** Opens the window in the page. */
export function open(): void {
  containNavigation(window);
  forgetOldStyles(window);
  const backend = windowBackend();
  const root = document.getElementById('root');
  if (!root) return;
  const all = (
    <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
      <Notifications position="bottom-left" limit={3} containerWidth={320} />
      {backend ? (
        <BusProvider client={new Client(backend)}>
          <WindowBoundary>
            <App />
          </WindowBoundary>
        </BusProvider>
      ) : (
        <Empty title={i18n._('This page belongs to Deskhand')}>
          {i18n._('Open it with the application, not in a browser.')}
        </Empty>
      )}
    </MantineProvider>
  );
  flushSync(() => createRoot(root).render(all));
  document.querySelector('body > .opening')?.remove();
}
