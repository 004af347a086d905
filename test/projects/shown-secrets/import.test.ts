throw new Error(`while importing ${process.env.OPENAI_API_KEY}`)
