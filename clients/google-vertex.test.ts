// A service account signs in before it asks: at a host that is not the model's.
import { generateKeyPairSync } from 'node:crypto'
import { GoogleGenAI } from '@google/genai'
import { operateGemini } from './operate-gemini.ts'
import { upstream } from './operation.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})

const url = upstream()

/** While recording, the host of the tokens is the provider's stand-in, too. */
const fetchFromStandIn = (input: string | URL | Request, init?: RequestInit): Promise<Response> =>
  fetch(String(input).replace('https://oauth2.googleapis.com', url!), init)

const client = new GoogleGenAI({
  vertexai: true,
  project: 'shop',
  location: 'us-central1',
  httpOptions: { baseUrl: url },
  googleAuthOptions: {
    credentials: {
      type: 'service_account',
      client_email: 'clerk@shop.iam.gserviceaccount.com',
      private_key: privateKey,
    },
    clientOptions: url ? { transporterOptions: { fetchImplementation: fetchFromStandIn } } : {},
  },
})

operateGemini(client.models, ['embeddings'])
