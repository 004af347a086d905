/** The address of the repository that the owner fills in, in any of the spellings that npm takes; none without it. */
export function addressOf(field: string | { url: string } | undefined): string | undefined {
  if (field === undefined) return undefined
  const text = typeof field === 'string' ? field : field.url
  const [, , web, ssh, path] =
    /^((?:git\+)?(?:https|ssh|git):\/\/(?:git@)?([^/]+)\/|git@([^:]+):|github:)?(.+?)(?:\.git)?$/.exec(
      text,
    )!
  return `https://${web ?? ssh ?? 'github.com'}/${path}`
}
