/**
 * Names the hosts to which programs opened tunnels into which nobody here can see.
 *
 * @param tunnels the host and the port of each, with the program
 */
export function explainTunnels(
  tunnels: ReadonlyArray<readonly [host: string, program: string]>,
): string {
  const hosts = Map.groupBy(tunnels, ([host]) => host)
  return [
    'programs opened tunnels into which nothing here can look. What they sent there went out, in replay too:',
    ...[...hosts.values()].map(([first]) => `  ${first![0].replace(/:443$/, '')} (${first![1]})`),
    'If a model answers at such a host, add it to the option hosts: its calls are then recorded and replayed. If none does, add it to allowHosts, and it is no longer named here.',
  ].join('\n')
}
