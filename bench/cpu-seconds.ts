/** The CPU seconds of the children of a shell, from what its `times` prints: a line of its own, and one of theirs. */
export function cpuSeconds(times: string): number {
  const [, children = ''] = times.trim().split('\n')
  return Array.from(children.matchAll(/(\d+)m([\d.]+)s/g)).reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  )
}
