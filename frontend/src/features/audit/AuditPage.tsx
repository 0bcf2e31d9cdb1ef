import type { Place } from '../../bus/navigation';
import { AuditList } from './AuditList';
import { TraceView } from './TraceView';

interface AuditPageProps {
  requestId?: string;
  onGo: (place: Place) => void;
}

/** Everything that was done, or one request from its sentence to its effects. */
export default function AuditPage({ requestId, onGo }: AuditPageProps) {
  if (requestId) return <TraceView key={requestId} requestId={requestId} onBack={() => onGo({ page: 'audit' })} />;
  return <AuditList onOpen={(id) => onGo({ page: 'audit', id })} />;
}
