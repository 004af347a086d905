// Asks a host by fetch, and swallows what comes of it.
await fetch(process.env.ASKED).catch(() => {})
