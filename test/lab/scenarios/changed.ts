/** A text, and what stands in its place where prompts are changed. */
export const edited = (text: string, change: string): string =>
  process.env.CHANGED === '1' ? change : text
