import { useHotkeys } from '@mantine/hooks';
import { lazy, Suspense, useState } from 'react';
import { usePlace } from './bus/navigation';
import { Approvals } from './features/approvals/Approvals';
import { CounterPage } from './features/counter/CounterPage';
import { Dock } from './features/shell/Dock';
import { Shell } from './features/shell/Shell';
import { useThemeOfApplication } from './features/shell/useColorScheme';
import { useNotices } from './features/shell/useNotices';
import { Loading } from './ui/Loading';

const OrdersPage = lazy(() => import('./features/orders/OrdersPage'));
const AuditPage = lazy(() => import('./features/audit/AuditPage'));
const ChatPanel = lazy(() => import('./features/chat/ChatPanel'));
const Palette = lazy(() => import('./features/palette/Palette'));

/** The window: which page is shown, and what stands beside and above it. */
export function App() {
  const { place, go } = usePlace();
  const [chat, setChat] = useState<'never' | 'open' | 'closed'>('never');
  const [paletteOpen, setPaletteOpen] = useState(false);
  useThemeOfApplication();
  useNotices();

  const toggleChat = () => setChat((was) => (was === 'open' ? 'closed' : 'open'));
  useHotkeys(
    [
      ['mod+K', () => setPaletteOpen(true)],
      ['mod+J', toggleChat],
    ],
    [],
  );
  const openTrace = (requestId: string) => go({ page: 'audit', id: requestId });

  return (
    <>
      <Shell
        page={place.page}
        onGo={(page) => go({ page })}
        chatOpen={chat === 'open'}
        onToggleChat={toggleChat}
        onOpenPalette={() => setPaletteOpen(true)}
        dock={
          <Dock
            approvals={<Approvals />}
            chatOpen={chat === 'open'}
            chat={
              chat !== 'never' && (
                <Suspense fallback={<Loading label="Opening the assistant" />}>
                  <ChatPanel open={chat === 'open'} onClose={toggleChat} onOpenTrace={openTrace} />
                </Suspense>
              )
            }
          />
        }
      >
        <Suspense fallback={<Loading label="Opening the page" />}>
          {place.page === 'orders' ? (
            <OrdersPage orderId={place.id} onGo={go} />
          ) : place.page === 'audit' ? (
            <AuditPage requestId={place.id} onGo={go} />
          ) : (
            <CounterPage onOpenOrder={(id) => go({ page: 'orders', id })} />
          )}
        </Suspense>
      </Shell>
      <Suspense>{paletteOpen && <Palette onClose={() => setPaletteOpen(false)} onOpenTrace={openTrace} />}</Suspense>
    </>
  );
}
