onmessage = async ({ data: [url, init] }) => {
  const response = await fetch(url, init)
  postMessage((await response.json()).choices[0].message.content)
}
