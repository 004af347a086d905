onmessage = ({ data: address }) => {
  try {
    const socket = new WebSocket(address)
    socket.onopen = socket.onclose = () => postMessage('opened')
  } catch (error) {
    postMessage(String(error))
  }
}
