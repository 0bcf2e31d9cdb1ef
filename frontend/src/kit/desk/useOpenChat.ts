import { useDraft, useKept } from '../../ui/window/useKept';

/** Counts the wishes to write to the assistant from elsewhere in the window. */
export const WRITING = 'assistant writing';

/** Opens the conversation, ready to be written in. */
export function useOpenChat(): () => void {
  const [, setChat] = useDraft<string>('assistant');
  const [, setWriting] = useKept<number>(WRITING);
  return () => {
    setChat('open');
    setWriting((wishes = 0) => wishes + 1);
  };
}
