import type { ComponentProps } from 'react';
import ChatPanel from '../kit/chat/ChatPanel';
import { i18n } from '../language/i18n';
import { personalFieldsText } from '../shop/whatLeaves';
import { AfterModelFailed } from './AfterModelFailed';

interface AssistantProps extends Pick<ComponentProps<typeof ChatPanel>, 'open' | 'onClose' | 'onOpenTrace'> {
  onOpenSettings: () => void;
}

/** The conversation with the texts of the shop. */
export default function Assistant({ onOpenSettings, ...props }: AssistantProps) {
  const introText = i18n._(
    'For example: “Add two bags of the Guji to Ana’s cart.” Looking things up needs no question; whatever cannot be taken back is shown to you first.',
  );
  const waysOn = (onAgain: () => void) => <AfterModelFailed {...{ onAgain, onOpenSettings }} />;
  return <ChatPanel {...props} {...{ introText, personalFieldsText, waysOn }} />;
}
