/** The examples of the two descriptions by which others write conversations, as they stand there. */
export const HISTORY = `{
  "version": "1.0",
  "conversation_id": "unique-conversation-id",
  "timestamp": "2023-06-15T14:30:00Z",
  "exchanges": [
    {
      "id": "exchange-1",
      "prompt": {
        "text": "The exact prompt text sent to the LLM",
        "hash": "sha256-hash-of-prompt-for-verification",
        "metadata": {
          "temperature": 0.7,
          "max_tokens": 1000,
          "other_params": "as_needed"
        }
      },
      "response": {
        "text": "The full response from the LLM to replay",
        "tool_calls": [
          {
            "tool_name": "example_tool",
            "parameters": {"param1": "value1"},
            "result": "Tool execution result"
          }
        ]
      }
    },
    {
      "id": "exchange-2",
      "prompt": {
        "text": "Follow-up prompt including previous context",
        "hash": "sha256-hash-of-prompt-for-verification",
        "metadata": {
          "temperature": 0.7,
          "max_tokens": 1000
        }
      },
      "response": {
        "text": "Follow-up response from the LLM"
      }
    }
  ]
}
`

export const CONTEXT = `[
  {
    "index": 0,
    "turn": 0,
    "timestamp": "2023-04-04T12:33:00Z",
    "role": "system",
    "content": "You're a helpful AI assistant named Aya. You help users with content..."
  },
  {
    "index": 1,
    "turn": 0,
    "timestamp": "2023-04-04T12:33:10Z",
    "role": "user",
    "content": {
      "userid": "<@U1234546>",
      "text": "Suggest lunch options please."
    }
  },
  {
    "index": 2,
    "turn": 1,
    "timestamp": "2023-04-04T12:33:20Z",
    "role": "assistant",
    "content": {
      "toolCall": "getThreadHistory",
      "ascending": false,
      "reasoning": "Checking for context about dietary preferences"
    }
  },
  {
    "index": 3,
    "turn": 1,
    "timestamp": "2023-04-04T12:33:30Z",
    "role": "assistant",
    "content": {
      "toolCall": "postMessage",
      "text": "Here are some lunch suggestions: 1) Mushroom risotto, 2) Caesar salad, 3) Vegetable curry",
      "reasoning": "Providing diverse lunch options"
    }
  }
]
`

/** The same as it is shown in a console. The description cuts the instructions short. */
export const CONSOLE = `🧠 System: You're a helpful AI assistant named Aya. You help users with content...

👤 User <@U1234546> [Turn 0]
🕐 2023-04-04T12:33:10Z
> Suggest lunch options please.

🤖 Assistant [Turn 1]
🕐 2023-04-04T12:33:20Z
🔧 getThreadHistory (ascending: false)
   └─ Reason: Checking for context about dietary preferences

🤖 Assistant [Turn 1]
🕐 2023-04-04T12:33:30Z
💬 postMessage:
   "Here are some lunch suggestions: 1) Mushroom risotto, 2) Caesar salad, 3) Vegetable curry"
   └─ Reason: Providing diverse lunch options`
