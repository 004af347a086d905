/** The meaning and the remedy of each error code of the file system. */
const REASONS: Record<string, [what: string, wayOut: string]> = {
  ENOSPC: ['the disk is full', 'Make room'],
  EDQUOT: ['the quota of the disk is used up', 'Make room'],
  EROFS: ['its folder is read-only', 'Make the folder writable'],
  EACCES: ['this user may not write its folder', 'Make the folder writable'],
  EPERM: ['this user may not write its folder', 'Make the folder writable'],
}

/** The reason why a file could not be written, and the remedy. */
export function whyUnwritten(error: Error): [what: string, wayOut: string] {
  const { code = '' } = error as NodeJS.ErrnoException
  return REASONS[code] ?? [error.message.split('\n')[0]!, 'Settle that']
}
