import { Button, Text, TextInput, UnstyledButton } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { Response } from '../../bridge/capabilities';
import { formatTime } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useInvoke } from '../../queries/useInvoke';
import { usePages } from '../../queries/usePages';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { FormDialog } from '../../ui/form/FormDialog';
import { IconAction } from '../../ui/form/IconAction';
import { useForm } from '../../ui/form/useForm';
import { Loading } from '../../ui/page/Loading';
import { Empty, Problem } from '../../ui/page/Note';
import page from '../../ui/page/Page.module.css';
import classes from './Chat.module.css';

type Conversation = Response<'conversation.list'>['conversations'][number];

const listing = {
  source: 'Chat',
  rowsOf: (page: Response<'conversation.list'>) => page.conversations,
  keyOf: ({ id }: Conversation) => id,
  ahead: 0, // more are shown when they are asked for
};

interface ConversationsProps {
  /** The one that is open. */
  current?: string;
  onOpen: (id: string) => void;
  /** Called after one was removed. */
  onRemoved: (id: string) => void;
}

/** The person's conversations, the latest first: each can be continued, renamed and removed. */
export function Conversations({ current, onOpen, onRemoved }: ConversationsProps) {
  const [changed, setChanged] = useState<{ what: 'rename' | 'remove'; one: Conversation }>();
  const { list, items: all, isSuccess, error, refetch } = usePages('conversation.list', {}, listing);
  useEffect(() => list.show(0, all.length - 1), [list, all.length]);
  const close = () => setChanged(undefined);
  const done = () => {
    setChanged((now) => (now === changed ? undefined : now)); // not one that was opened meanwhile
    void refetch();
  };
  return (
    <section className={classes.conversations} aria-label={i18n._('Conversations')}>
      {error && <Problem message={error.message} hint={error.recoveryHint} onRetry={refetch} />}
      {!isSuccess && !error && <Loading label={i18n._('Reading the conversations')} />}
      {isSuccess && all.length === 0 && <Empty title={i18n._('No conversation yet')} />}
      <ul className={page.rows} aria-label={i18n._('Earlier conversations')}>
        {all.map((one) => (
          <li key={one.id}>
            <div className={page.grow}>
              <UnstyledButton
                className={classes.titleOf}
                aria-current={one.id === current || undefined}
                onClick={() => onOpen(one.id)}
              >
                <Text fw={one.id === current ? 600 : 500}>{one.title}</Text>
                <Text size="xs" c="dimmed">
                  {formatTime(one.updatedAt)}
                  {tokens(one)}
                </Text>
              </UnstyledButton>
            </div>
            <IconAction
              label={i18n._('Rename {title}', { title: one.title })}
              onClick={() => setChanged({ what: 'rename', one })}
            >
              <IconPencil size={15} aria-hidden />
            </IconAction>
            <IconAction
              label={i18n._('Remove {title}', { title: one.title })}
              onClick={() => setChanged({ what: 'remove', one })}
            >
              <IconTrash size={15} aria-hidden />
            </IconAction>
          </li>
        ))}
      </ul>
      {list.goesOn && (
        <Button variant="default" loading={list.busy} onClick={list.more}>
          {i18n._('Show more')}
        </Button>
      )}
      {changed?.what === 'rename' && <Rename one={changed.one} onDone={done} onClose={close} />}
      {changed?.what === 'remove' && (
        <Remove
          one={changed.one}
          onDone={() => {
            done();
            onRemoved(changed.one.id);
          }}
          onClose={close}
        />
      )}
    </section>
  );
}

interface ChangeProps {
  one: Conversation;
  onDone: () => void;
  onClose: () => void;
}

function Rename({ one, onDone, onClose }: ChangeProps) {
  const { values, change } = useForm(undefined, { title: one.title });
  const { title } = values;
  const rename = useInvoke('conversation.rename', { source: 'Chat' });
  return (
    <FormDialog
      {...{ title: i18n._('Rename the conversation'), submit: i18n._('Rename'), onClose }}
      disabledReason={title.trim() === '' ? i18n._('Give it a name.') : undefined}
      call={rename}
      onSubmit={() => rename.mutate({ conversationId: one.id, title: title.trim() }, { onSuccess: onDone })}
    >
      <ErrorAt pointer="/title">
        <TextInput
          data-autofocus
          label={i18n._('Name')}
          value={title}
          onChange={(event) => change({ title: event.currentTarget.value })}
        />
      </ErrorAt>
    </FormDialog>
  );
}

function Remove({ one, onDone, onClose }: ChangeProps) {
  const remove = useInvoke('conversation.remove', { source: 'Chat' });
  return (
    <FormDialog
      title={i18n._('Remove “{title}”', { title: one.title })}
      submit={i18n._('Remove for good')}
      leave={i18n._('Keep')}
      {...{ danger: true, onClose }}
      call={remove}
      onSubmit={() => remove.mutate({ conversationId: one.id }, { onSuccess: onDone })}
    >
      <Text>{i18n._('What was said is gone. What was done stays done, and stays in the audit log.')}</Text>
    </FormDialog>
  );
}

function tokens({ tokens: { input = 0, output = 0, costs = [] } }: Conversation): string {
  if (input + output === 0) return '';
  return [
    '',
    i18n._('{count, plural, one {# token} other {# tokens}}', { count: input + output }),
    ...costs.map(({ text }) => text),
  ].join(' · ');
}
