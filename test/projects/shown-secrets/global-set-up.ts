export default function setUp(): void {
  if (process.env.BREAKS)
    throw Object.assign(new Error(`global ${process.env.OPENAI_API_KEY}`), {
      headers: { Authorization: `Bearer ${process.env.OPENAI_API_KEY}` },
    })
}
