// Asks a provider from wherever this file is run, and swallows what comes of it.
await fetch(`http://${process.env.HOST ?? process.argv[2]}/v1/models`).catch(() => {})
