/** Whether two texts are equal but for white space at the ends of lines, which editors add and remove. */
export function sameText(written: string, asked: string): boolean {
  return written === asked || withoutLineEnds(written) === withoutLineEnds(asked)
}

function withoutLineEnds(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  return lines.join('\n').trimEnd()
}
