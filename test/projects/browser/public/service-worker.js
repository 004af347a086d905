onmessage = async ({ data: [url, init], ports: [port] }) => {
  const said = await fetch(url, init)
    .then((response) => response.json())
    .then(({ choices }) => choices[0].message.content)
    .catch(String)
  port.postMessage(said)
}
