// Writes the lengths of style sheets in rem, so that everything grows with the text: its size is that of the root.
// Lines and outlines, up to three pixels, stay as they are.
const inRem = (text) =>
  text.replace(/(?<![\w.-])(-?\d*\.?\d+)px\b/g, (whole, px) => (Math.abs(px) > 3 ? `${px / 16}rem` : whole));

/** The transformation as a plug-in of PostCSS, for Vite's css.postcss.plugins. */
export const lengths = {
  postcssPlugin: 'lengths',
  Declaration(declaration) {
    const value = inRem(declaration.value);
    if (value !== declaration.value) declaration.value = value;
  },
  AtRule: {
    container(rule) {
      const params = inRem(rule.params);
      if (params !== rule.params) rule.params = params;
    },
  },
};
