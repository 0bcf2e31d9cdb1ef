import { Text } from '@mantine/core';
import { CapabilityButton } from '../../kit/actions/CapabilityButton';
import { formatMoment } from '../../language/format';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import classes from './Bar.module.css';

const source = 'DraftBar';

/** Says that the window shows a copy of the shop, and leads back; a frame is around the whole window then. */
export function DraftBar() {
  const { data } = useCapability('draft.list', {}, { source });
  if (!data?.here) return null;
  return (
    <section className={`${classes.bar} ${classes.draft}`} aria-label={i18n._('Draft')}>
      <Text fw={600}>{i18n._('This is a copy of {moment}', { moment: formatMoment(data.here.openedAt) })}</Text>
      <Text size="sm" className={classes.grow}>
        {i18n._('Nothing here is real until it is merged.')}
      </Text>
      <CapabilityButton name="draft.leave" args={{}} source={source} size="compact-sm">
        {i18n._('Back to the shop')}
      </CapabilityButton>
    </section>
  );
}
