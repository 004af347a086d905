/** True for a regular expression, also of another realm. */
export function isPattern(value: unknown): value is RegExp {
  return Object.prototype.toString.call(value) === '[object RegExp]'
}
