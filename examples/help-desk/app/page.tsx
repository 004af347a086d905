'use client'

import { useChat } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import { useState } from 'react'
import { summarise } from './actions'

export default function Page() {
  const { messages, sendMessage, status, error } = useChat()
  const [question, setQuestion] = useState('')
  const [summary, setSummary] = useState('')

  return (
    <main>
      <h1>Help desk</h1>
      <ol role="log" aria-busy={status === 'submitted' || status === 'streaming'}>
        {messages.map((message) => (
          <li key={message.id}>
            {message.role}: {textOf(message)}
          </li>
        ))}
      </ol>
      {error && <p role="alert">The help desk is closed. Write to us: help@lamps.example</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void sendMessage({ text: question })
          setQuestion('')
        }}
      >
        <label>
          Question <input value={question} onChange={(event) => setQuestion(event.target.value)} />
        </label>
        <button>Ask</button>
      </form>
      <button
        onClick={async () =>
          setSummary(
            await summarise(
              messages.map((message) => `${message.role}: ${textOf(message)}`).join('\n'),
            ),
          )
        }
      >
        Hand over
      </button>
      <p role="status">{summary}</p>
    </main>
  )
}

function textOf({ parts }: UIMessage): string {
  return parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
