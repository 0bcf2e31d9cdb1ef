import { TagsInput, Textarea, TextInput } from '@mantine/core';
import { i18n } from '../../language/i18n';
import { useCapability } from '../../queries/useCapability';
import { ErrorAt } from '../../ui/form/FieldErrors';
import { Select } from '../../ui/form/Select';
import type { ProductDraft } from './draft';

interface ProductFieldsProps {
  draft: ProductDraft;
  onChange: (draft: ProductDraft) => void;
}

/** The fields of a product: name, description, tags and tax class. */
export function ProductFields({ draft, onChange }: ProductFieldsProps) {
  const { data } = useCapability('settings.get', { section: 'tax' }, { source: 'ProductFields' });
  const change = (part: Partial<ProductDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <ErrorAt pointer="/name">
        <TextInput
          data-autofocus
          label={i18n._('Name')}
          withAsterisk
          aria-required
          value={draft.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
      </ErrorAt>
      <ErrorAt pointer="/description">
        <Textarea
          label={i18n._('Description')}
          autosize
          minRows={2}
          maxRows={8}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </ErrorAt>
      <ErrorAt pointer="/tags">
        <TagsInput
          size="xs"
          label={i18n._('Tags')}
          placeholder={draft.tags.length === 0 ? i18n._('Type one and press Enter') : undefined}
          value={draft.tags}
          onChange={(tags) => change({ tags })}
        />
      </ErrorAt>
      <ErrorAt pointer="/taxClass">
        <Select
          label={i18n._('Tax')}
          placeholder={i18n._('As most goods')}
          data={data?.tax?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={draft.taxClass}
          onChange={(taxClass) => change({ taxClass })}
        />
      </ErrorAt>
    </>
  );
}
