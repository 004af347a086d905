import { BedrockRuntimeClient } from '@aws-sdk/client-bedrock-runtime'
import { BedrockEmbeddings, ChatBedrockConverse } from '@langchain/aws'
import { operateLangchain } from './operate-langchain.ts'
import { upstream } from './operation.ts'

const credentials = { accessKeyId: 'none', secretAccessKey: 'none' }
const options = { region: 'us-east-1', credentials, ...(upstream() ? { client: recording() } : {}) }

operateLangchain(
  new ChatBedrockConverse({ ...options, model: 'anthropic.claude-3-haiku-20240307-v1:0' }),
  new BedrockEmbeddings({ ...options, model: 'amazon.titan-embed-text-v2:0' }),
)

/** Its own clients accept no endpoint without TLS. */
function recording(): BedrockRuntimeClient {
  return new BedrockRuntimeClient({ region: 'us-east-1', credentials, endpoint: upstream() })
}
