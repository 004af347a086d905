import { seen } from '../../reports.ts'

/** Notes a server that a name of the option covers. */
export function noteFound(name: string): void {
  seen.found.add(name)
}

/** Notes a tunnel that leads past the gateway. */
export function noteTunnel(host: string, program: string): void {
  if (!seen.tunnels.has(host)) seen.tunnels.set(host, program)
}
