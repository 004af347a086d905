/** The JSON pointer of `key` below a pointer (RFC 6901). */
export function below(pointer: string, key: string | number): string {
  const name = String(key)
  return `${pointer}/${/[~/]/.test(name) ? name.replaceAll('~', '~0').replaceAll('/', '~1') : name}`
}

/** The keys of a JSON pointer, outermost first. */
export function keysOfPointer(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'))
}
