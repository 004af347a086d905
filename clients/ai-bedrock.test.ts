import { createAmazonBedrock } from '@ai-sdk/amazon-bedrock'
import { operateAi } from './operate-ai.ts'
import { upstream } from './operation.ts'

const bedrock = createAmazonBedrock({
  region: 'us-east-1',
  accessKeyId: 'none',
  secretAccessKey: 'none',
  baseURL: upstream(),
})

operateAi(
  bedrock('anthropic.claude-3-haiku-20240307-v1:0'),
  bedrock.embedding('amazon.titan-embed-text-v2:0'),
)
