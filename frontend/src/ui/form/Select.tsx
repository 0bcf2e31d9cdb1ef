import { Select as MantineSelect, type Primitive, type SelectProps } from '@mantine/core';
import { useState } from 'react';

/**
 * A field with a list to choose from. The list is in the page while the field has the focus, so that a key that opens it
 * finds its options. Without the focus it is not: Mantine placed the list of each field again whenever a page was shown,
 * and had the browser style the page once more for it.
 */
export function Select<Value extends Primitive>({ comboboxProps, onFocus, onBlur, ...props }: SelectProps<Value>) {
  const [focused, setFocused] = useState(false);
  return (
    <MantineSelect
      {...props}
      comboboxProps={{ shadow: 'sm', ...comboboxProps, keepMounted: focused }}
      onFocus={(event) => {
        setFocused(true);
        onFocus?.(event);
      }}
      onBlur={(event) => {
        setFocused(false);
        onBlur?.(event);
      }}
    />
  );
}
