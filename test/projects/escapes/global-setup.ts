// A global set-up that asks a provider and a gateway that nobody listed, and starts a process that does.
import { execFileSync } from 'node:child_process'

export default async function (): Promise<void> {
  const url = `http://${process.env.HOST}/v1/models`
  await fetch(url).catch(({ cause }) => console.log(`set-up: ${cause.message}`))
  if (process.env.GATEWAY)
    await fetch(`http://${process.env.GATEWAY}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'gpt-5', messages: [{ role: 'user', content: 'warm up' }] }),
      signal: AbortSignal.timeout(500),
    }).catch(() => {})
  const child = new URL('./child.mjs', import.meta.url)
  execFileSync(process.execPath, [child.pathname], { stdio: 'inherit' })
  execFileSync('sh', ['-c', 'echo "set-up: a shell asks $OPENAI_BASE_URL"'], { stdio: 'inherit' })
}
