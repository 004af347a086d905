// A global set-up that asks a provider, and starts a process that does.
import { execFileSync } from 'node:child_process'

export default async function (): Promise<void> {
  const url = `http://${process.env.HOST}/v1/models`
  await fetch(url).catch(({ cause }) => console.log(`set-up: ${cause.message}`))
  const child = new URL('./child.mjs', import.meta.url)
  execFileSync(process.execPath, [child.pathname], { stdio: 'inherit' })
}
