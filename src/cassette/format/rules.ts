/** The canonical, the raw and the response hash of an exchange of a file. Each may be unknown or empty. */
export function hashesAt(
  { hashes }: { hashes?: readonly string[] },
  index: number,
): Array<string | undefined> {
  return hashes?.[index]?.split('.') ?? []
}
