/** What the codes of the file system mean, and what to do about each. */
const REASONS: Record<string, [what: string, wayOut: string]> = {
  ENOSPC: ['the disk is full', 'Make room'],
  EDQUOT: ['the quota of the disk is used up', 'Make room'],
  EROFS: ['its folder is read-only', 'Make the folder writable'],
  EACCES: ['this user may not write its folder', 'Make the folder writable'],
  EPERM: ['this user may not write its folder', 'Make the folder writable'],
}

/** Why a file could not be written, and how to settle that. */
export function whyUnwritten(error: Error): [what: string, wayOut: string] {
  const { code = '' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? [error.message.split('\n')[0]!, 'Settle that']
}
