import { enterScope, isOfEarlierFile, scopes } from '../../scope.ts'

/**
 * Enters the scope of the test for which a server of this process gets a request. A server keeps the scope of the code
 * that started it: that of the file, or of a test before.
 */
export function enterServedScope(server: object): void {
  const { alone, ofFile, storage, starters } = scopes
  const starter = starters.has(server) ? starters.get(server) : storage.getStore()
  // A module that several files share can have started it, for all of them.
  const isOfEarlier = typeof starter === 'object' && isOfEarlierFile(starter)
  if (!starters.has(server)) {
    if (!alone && !isOfEarlier) return
    // Noted here, since before Node 24 a kept connection goes on in the scope of its last request.
    starters.set(server, starter)
  }
  const isOfFile = starter === undefined || starter === ofFile || isOfEarlier
  if (starter === 'upstream') enterScope(starter)
  else if (alone && !(isOfFile && alone.leavesToFile())) enterScope(alone.attempt)
  else enterScope(isOfFile ? ofFile : starter)
}
