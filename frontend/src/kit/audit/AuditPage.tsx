import { Button, Tabs } from '@mantine/core';
import { enumOf } from '../../bridge/schema';
import { i18n } from '../../language/i18n';
import { useEntry } from '../../queries/useManifest';
import { useTask } from '../../queries/useTask';
import { ExportMenu, ExportStatus } from '../../ui/page/FileExport';
import { PageHead } from '../../ui/page/PageHead';
import { useKept } from '../../ui/window/useKept';
import { CommandMenu } from '../actions/CommandMenu';
import classes from './Audit.module.css';
import { AuditList } from './AuditList';
import { Report } from './Report';
import { TraceView } from './TraceView';
import { useFilters } from './useFilters';
import { VerifyStatus } from './VerifyStatus';

interface AuditPageProps {
  requestId?: string;
  onGo: (place: AuditPlace) => void;
}

/** The list of records, or with an id one request. */
export interface AuditPlace {
  page: 'audit';
  id?: string;
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
  const { data: written, ...exporting } = useTask('audit.export', 'ExportButton');
  const formats = enumOf<'csv' | 'jsonl'>(useEntry('audit.export')?.input_schema, 'format');
  const verifying = useTask('audit.verify', 'VerifyButton');
  return (
    <Tabs className={classes.page} value={tab} onChange={(next) => setTab(next ?? undefined)} keepMounted={false}>
      <PageHead title={i18n._('Audit')}>
        <Button variant="default" disabled={verifying.running} onClick={() => verifying.start({})}>
          {i18n._('Verify')}
        </Button>
        <ExportMenu
          formats={formats}
          busy={exporting.running}
          onStart={(format) => exporting.start({ ...narrowing.asked, format })}
        />
        <CommandMenu names={['audit.replay', 'audit.rebuildRollups', 'data.purge']} />
      </PageHead>
      <Tabs.List>
        <Tabs.Tab value="records">{i18n._('Records')}</Tabs.Tab>
        <Tabs.Tab value="report">{i18n._('Report')}</Tabs.Tab>
      </Tabs.List>
      <VerifyStatus {...verifying} />
      <ExportStatus
        {...exporting}
        written={written && { file: written.file, count: written.records }}
        nouns={[i18n._('record'), i18n._('records')]}
      />
      <Tabs.Panel value="records" className={classes.panel}>
        <AuditList narrowing={narrowing} onOpen={onOpen} />
      </Tabs.Panel>
      <Tabs.Panel value="report" className={classes.panel}>
        <Report />
      </Tabs.Panel>
    </Tabs>
  );
}
