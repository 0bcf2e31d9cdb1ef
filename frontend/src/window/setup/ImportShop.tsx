import { Button, Progress, Text } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useManifestQuery, useRefusal } from '../../queries/useManifest';
import { usePickedFile } from '../../queries/usePickedFile';
import { useTask } from '../../queries/useTask';
import { ActionButton } from '../../ui/form/ActionButton';
import { Problem } from '../../ui/page/Note';
import classes from './FirstRun.module.css';

/** A shop that is somewhere else already, by the file it was moved out to. */
export function ImportShop() {
  const { refetch } = useManifestQuery();
  const { unread, pick } = usePickedFile('shop');
  const { running, percent, stopped, error, start, stop } = useTask('shop.import', 'FirstRun');
  const disabledReason = useRefusal('shop.import');
  // The page goes when the manifest says that there is a shop.
  const begin = () => pick(({ file }) => start({ file }).then(() => refetch()));
  const problem = unread ?? error;
  return (
    <section className={classes.choice} aria-labelledby="shop-from-file">
      <h2 id="shop-from-file">{i18n._('A shop you have already')}</h2>
      <Text className={classes.about}>
        {i18n._(
          'Catalog, customers and orders from another computer or program, in one file. With a mistake in it, nothing is brought in.',
        )}
      </Text>
      {problem?.reason === 'cancelled' && <Problem message={i18n._('Stopped: nothing was brought in.')} />}
      {problem && problem.reason !== 'cancelled' && <Problem message={problem.message} hint={problem.recoveryHint} />}
      {running ? (
        <div className={classes.own}>
          <Text role="status">{i18n._('Importing: {percent} %', { percent })}</Text>
          <Progress value={percent} aria-label={i18n._('Importing')} />
          <Button size="sm" variant="default" onClick={stop} disabled={stopped}>
            {i18n._('Stop the import')}
          </Button>
        </div>
      ) : (
        <ActionButton size="sm" variant="default" disabledReason={disabledReason} onClick={begin}>
          {i18n._('Choose the file of a shop')}
        </ActionButton>
      )}
    </section>
  );
}
