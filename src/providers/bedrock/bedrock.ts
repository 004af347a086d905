import { places } from '../kit/places.ts'
import { type Providers, REGION } from '../provider.ts'

export const BEDROCK_PATHS = {
  'bedrock-agent':
    /\/agents\/[^/]+\/agentAliases\/[^/]+\/sessions\/[^/]+\/text\/?$|\/retrieveAndGenerate(?:Stream)?\/?$/,
  'bedrock-converse': /\/model\/.+\/converse(?:-stream)?\/?$/,
  'bedrock-invoke': /\/model\/.+\/invoke(?:-with-response-stream)?\/?$/,
}

export const bedrock: Providers = {
  'aws.bedrock': {
    hosts: [
      'bedrock-runtime.*.amazonaws.com',
      'bedrock-runtime-fips.*.amazonaws.com',
      'bedrock-runtime.*.amazonaws.com.cn',
      'bedrock-agent-runtime.*.amazonaws.com',
      'bedrock-runtime.*.api.aws',
      'bedrock-mantle.*.api.aws',
      '*.bedrock-runtime.*.vpce.amazonaws.com',
    ],
    equal: REGION,
    keys: ['AWS_BEARER_TOKEN_BEDROCK'],
    accounts: [
      {
        lend: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_BEARER_TOKEN_BEDROCK'],
        unless: [
          'AWS_PROFILE',
          'AWS_WEB_IDENTITY_TOKEN_FILE',
          'AWS_CONTAINER_CREDENTIALS_FULL_URI',
          'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
        ],
        shared: true,
      },
      {
        lend: ['AWS_REGION'],
        unless: ['AWS_DEFAULT_REGION', 'AWS_PROFILE'],
        as: 'us-east-1',
        shared: true,
      },
    ],
    paths: BEDROCK_PATHS,
    headers: {
      'x-amzn-bedrock-accept': 'text',
      'x-amzn-bedrock-content-type': 'formats',
      'x-amzn-bedrock-guardrailidentifier': 'text',
      'x-amzn-bedrock-guardrailversion': 'text',
      'x-amzn-bedrock-performanceconfig-latency': 'text',
      'x-amzn-bedrock-service-tier': 'text',
      'x-amzn-bedrock-trace': 'text',
    },
    families: ['x-amzn-bedrock'],
    places: [
      ...places(
        'call-id',
        'messages.*.content.*.toolUse.toolUseId',
        'messages.*.content.*.toolResult.toolUseId',
      ),
      // The requests whose tokens are counted.
      ...places('request', 'input.converse', 'modelInput'),
    ],
    makers: ['anthropic', 'amazon', 'meta', 'mistral', 'cohere', 'openai'],
  },
  'aws.sagemaker': {
    hosts: [
      'runtime.sagemaker.*.amazonaws.com',
      'runtime.sagemaker.*.amazonaws.com.cn',
      'runtime-fips.sagemaker.*.amazonaws.com',
      'runtime.sagemaker-fips.*.amazonaws.com',
    ],
    equal: REGION,
    headers: {
      'x-amzn-sagemaker-custom-attributes': 'text',
      'x-amzn-sagemaker-inference-component': 'text',
      'x-amzn-sagemaker-target-model': 'text',
      'x-amzn-sagemaker-target-variant': 'text',
    },
    families: ['x-amzn-sagemaker'],
  },
}
