import { PasswordInput, Text } from '@mantine/core';
import type { Response } from '../../../bridge/capabilities';
import { i18n } from '../../../language/i18n';
import { ErrorAt } from '../../../ui/form/FieldErrors';

interface ModelKeyProps {
  /** The preset wants one. */
  needed: boolean;
  /** One is kept for this endpoint. */
  kept: boolean;
  secrets: Response<'settings.get'>['secrets'];
  value: string;
  onChange: (key: string) => void;
}

/** The key of an endpoint: it goes to the keychain of the system, into no file, and is never shown again. */
export function ModelKey({ needed, kept, secrets, value, onChange }: ModelKeyProps) {
  const none = needed ? i18n._('None is kept') : i18n._('None is needed, as a rule');
  return (
    <div>
      <ErrorAt pointer="/values/key">
        <PasswordInput
          size="xs"
          label={i18n._('Key')}
          placeholder={kept ? i18n._('One is kept; type another to replace it') : none}
          autoComplete="off"
          visibilityToggleButtonProps={{ 'aria-label': i18n._('Show the key') }}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      </ErrorAt>
      <Text size="xs" c="dimmed" mt={4}>
        {places[secrets]}
      </Text>
    </div>
  );
}

const places: Record<Response<'settings.get'>['secrets'], string> = {
  keychain: i18n._('Kept in the keychain of this computer, in no file.'),
  memory: i18n._('This computer has no keychain: a key is kept until Deskhand ends.'),
  none: i18n._('There is nowhere here to keep a key.'),
};
