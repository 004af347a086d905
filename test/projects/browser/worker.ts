onmessage = async ({ data }) => {
  if (typeof data === 'string') return openSocket(data)
  const [url, init] = data
  const response = await fetch(url, init)
  postMessage((await response.json()).choices[0].message.content)
}

function openSocket(address: string): void {
  try {
    const socket = new WebSocket(address)
    socket.onopen = socket.onclose = () => postMessage('opened')
  } catch (error) {
    postMessage(String(error))
  }
}
