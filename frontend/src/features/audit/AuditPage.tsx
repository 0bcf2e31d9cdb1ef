import { Button, Tabs } from '@mantine/core';
import type { Place } from '../../bus/navigation';
import { useTask } from '../../bus/useTask';
import { PageHead } from '../../ui/PageHead';
import { useKept } from '../../ui/useKept';
import classes from './Audit.module.css';
import { AuditList } from './AuditList';
import { ExportMenu, ExportStatus } from './Export';
import { Report } from './Report';
import { TraceView } from './TraceView';
import { useFilters } from './useFilters';
import { VerifyStatus } from './Verify';

interface AuditPageProps {
  requestId?: string;
  onGo: (place: Place) => void;
}

/** Everything that was done, or one request from its sentence to its effects. */
export default function AuditPage({ requestId, onGo }: AuditPageProps) {
  const open = (id: string) => onGo({ page: 'audit', id });
  if (requestId) {
    return <TraceView key={requestId} requestId={requestId} onBack={() => onGo({ page: 'audit' })} onOpen={open} />;
  }
  return <Records onOpen={open} />;
}

function Records({ onOpen }: { onOpen: (requestId: string) => void }) {
  const [tab = 'records', setTab] = useKept<string>('audit tab');
  const narrowing = useFilters();
  const exporting = useTask('audit.export', 'ExportButton');
  const verifying = useTask('audit.verify', 'VerifyButton');
  return (
    <Tabs className={classes.page} value={tab} onChange={(next) => setTab(next ?? undefined)} keepMounted={false}>
      <PageHead title="Audit">
        <Button variant="default" disabled={verifying.running} onClick={() => verifying.start({})}>
          Verify
        </Button>
        <ExportMenu busy={exporting.running} onStart={(format) => exporting.start({ ...narrowing.chosen, format })} />
      </PageHead>
      <Tabs.List>
        <Tabs.Tab value="records">Records</Tabs.Tab>
        <Tabs.Tab value="report">Report</Tabs.Tab>
      </Tabs.List>
      <VerifyStatus {...verifying} />
      <ExportStatus {...exporting} />
      <Tabs.Panel value="records" className={classes.panel}>
        <AuditList narrowing={narrowing} onOpen={onOpen} />
      </Tabs.Panel>
      <Tabs.Panel value="report" className={classes.panel}>
        <Report />
      </Tabs.Panel>
    </Tabs>
  );
}
