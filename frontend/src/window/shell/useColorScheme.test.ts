import { describe, expect, it } from 'vitest';
import { schemeOf } from './useColorScheme';

describe('schemeOf', () => {
  it('is the theme that was chosen', () => expect(schemeOf('dark')).toEqual({ scheme: 'dark', contrast: false }));
  it('is what the computer has', () => expect(schemeOf('system')).toEqual({ scheme: 'auto', contrast: false }));
  it('stands out more', () => expect(schemeOf({ theme: 'contrast' })).toEqual({ scheme: 'auto', contrast: true }));
});
