import '@deskhand/kit/style.css';
import { useCapability } from '@deskhand/kit/queries/useCapability';
import { windowBackend } from '@deskhand/kit/bridge/wailsBackend';
import { CapabilityButton } from '@deskhand/kit/kit/actions/CapabilityButton';
import AuditPage, { type AuditPlace } from '@deskhand/kit/kit/audit/AuditPage';
import { Dock } from '@deskhand/kit/kit/desk/Dock';
import { Overlay } from '@deskhand/kit/kit/desk/Overlay';
import { useDesk } from '@deskhand/kit/kit/desk/useDesk';
import { KitProvider } from '@deskhand/kit/kit/KitProvider';
import { theme, variables } from '@deskhand/kit/ui/theme/theme';
import { useAgentContext } from '@deskhand/kit/ui/window/useAgentContext';
import { Button, MantineProvider } from '@mantine/core';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';

function Queue() {
  const tickets = useCapability('ticket.list', {}, { source: 'Queue' }).data?.tickets ?? [];
  useAgentContext(() => ({ step: 'queue', ids: tickets.map(({ id }) => id) }));
  return tickets.map(({ id, title, queue, state, assignee }) => (
    <section key={id} aria-label={title}>
      <h2>{title}</h2> {[queue, state, assignee].filter(Boolean).join(' · ')}
      {(['ticket.take', 'ticket.close', 'ticket.delete'] as const).map((name) => (
        <CapabilityButton key={name} name={name} args={{ ticketId: id }} source="Queue" />
      ))}
    </section>
  ));
}

function Desk() {
  const desk = useDesk();
  const [audit, setAudit] = useState<AuditPlace>();
  const parts = { desk, onOpenTrace: (id: string) => setAudit({ page: 'audit', id }) };
  return (
    <>
      <header>
        <h1>Tickets</h1>
        <Button variant="default" onClick={() => desk.openPalette()}>
          Find pages, records, settings, actions
        </Button>
        <Button variant="default" onClick={() => setAudit(audit ? undefined : { page: 'audit' })}>
          {audit ? 'Queue' : 'Audit'}
        </Button>
        <Button variant="default" onClick={desk.toggleChat}>
          Assistant
        </Button>
      </header>
      <main>{audit ? <AuditPage requestId={audit.id} onGo={setAudit} /> : <Queue />}</main>
      <Dock {...parts} />
      <Overlay {...parts} />
    </>
  );
}

createRoot(document.body).render(
  <MantineProvider theme={theme} cssVariablesResolver={variables} defaultColorScheme="auto">
    <KitProvider backend={windowBackend()} domain={{ distinguishing: ['queue'] }}>
      <Desk />
    </KitProvider>
  </MantineProvider>,
);
