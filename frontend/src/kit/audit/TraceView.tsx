import { IconArrowLeft } from '@tabler/icons-react';
import type { JsonObject } from '../../bridge/wire';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { useManifest } from '../../queries/useManifest';
import { IconAction } from '../../ui/form/IconAction';
import { useKeys } from '../../ui/keys/useKeys';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import { PageHead } from '../../ui/page/PageHead';
import { MentionedText } from '../MentionedText';
import { placesInCall } from '../records';
import { SaveRoutine } from '../routines/SaveRoutine';
import { SameForSelected } from '../selection/SameForSelected';
import { UndoButton } from '../undo/UndoButton';
import classes from './Audit.module.css';
import { RecordStep } from './RecordStep';
import { type AuditRecord, offersUndo } from './record';

/** Does what the records did again, with the selected records of the kinds that they name. */
function SameInTrace({ records }: { records: readonly AuditRecord[] }) {
  const manifest = useManifest();
  const kinds = records.flatMap(({ capability = '', arguments: values }) => [
    ...placesInCall(manifest, capability, values as JsonObject | undefined).values(),
  ]);
  const requestIds = records.map((record) => record.request_id);
  return [...new Set(kinds.map(({ entity }) => entity))].map((entity) => (
    <SameForSelected key={entity} {...{ entity, requestIds }} />
  ));
}

interface TraceViewProps {
  requestId: string;
  onBack: () => void;
  onOpen: (requestId: string) => void;
}

/** One trace: the sentence, its calls, the decisions, and the changed rows. */
export function TraceView({ requestId, onBack, onOpen }: TraceViewProps) {
  const { data, error, refetch } = useCapability('audit.trace', { requestId }, { source: 'TraceView' });
  useKeys({ Escape: { does: i18n._('All records'), act: onBack } });
  const capabilities = useManifest()?.capabilities;
  const sentence = data?.records.find((record) => record.triggering_message)?.triggering_message;
  const changed = data?.records.filter((record) => offersUndo(record, true, data.records)) ?? [];
  return (
    <div className={classes.page}>
      <PageHead
        title={i18n._('Trace')}
        before={
          <IconAction
            label={i18n._('All records')}
            hint={i18n._('All records (Esc)')}
            shortcut="Escape"
            onClick={onBack}
          >
            <IconArrowLeft size={17} aria-hidden />
          </IconAction>
        }
      >
        <SameInTrace records={changed} />
        <SaveRoutine records={changed} />
      </PageHead>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!data && !error && <Loading label={i18n._('Reading the trace')} />}
      {data && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={classes.scroll} tabIndex={0} aria-label={i18n._('Steps')}>
          {data.records.length === 0 && <Empty title={i18n._('Nothing recorded under this request')} />}
          {sentence && (
            <blockquote className={classes.sentence}>
              <MentionedText sentence={sentence} />
            </blockquote>
          )}
          <ol className={classes.steps}>
            {data.records.map((record) => {
              const entry = capabilities?.find(({ name }) => name === record.capability);
              return (
                <RecordStep
                  key={record.seq}
                  record={record}
                  title={entry?.title}
                  current={record.request_id === requestId}
                  action={
                    offersUndo(record, entry?.reversible ?? false, data.records)
                      ? (what) => (
                          <>
                            {changed.length > 1 && <SameInTrace records={[record]} />}
                            <UndoButton requestId={record.request_id} what={what} onOpen={onOpen} />
                          </>
                        )
                      : undefined
                  }
                />
              );
            })}
          </ol>
        </section>
      )}
    </div>
  );
}
