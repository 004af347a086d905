/** The way out for a request to a host where no model answers. */
export function leaveOut(host: string): string {
  return `The host ${host} is not listed as a provider. If no model answers there, add '${host}' to the option allowHosts.`
}
