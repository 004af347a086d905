/** A binding of Node that its own modules call; `undefined` under `--permission`, which hides it. */
export function bindingOf(name: string): object | undefined {
  const { noDeprecation } = process as { noDeprecation?: boolean }
  const node = process as unknown as { binding?(name: string): object; noDeprecation?: boolean }
  node.noDeprecation = true
  try {
    return node.binding?.(name)
  } catch {
    return undefined
  } finally {
    node.noDeprecation = noDeprecation
  }
}
