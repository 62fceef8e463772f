import { expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

it.each([
  'https://mainnet.infura.io/v3/YOUR_INFURA_PROJECT_ID',
  'https://mainnet.infura.io/v3/YOUR-PROJECT-ID-HERE-12',
  'https://eth-mainnet.g.alchemy.com/v2/your-api-key-goes-here',
  'https://maker.ifttt.com/trigger/door/with/key/your-webhooks-key',
  'https://hc-ping.com/your-uuid-goes-right-here',
  'https://api.vercel.com/v1/integrations/deploy/prj_example/hook_example',
  'https://hooks.bitrise.io/h/github/your-app-slug-goes-here/token',
  'https://hooks.airtable.com/workflows/v1/genericWebhook/appXXXXXXXXXXXXXX/wflXXXXXXXXXXXXXX',
  'https://uptime.betterstack.com/api/v1/heartbeat/your_heartbeat_token',
  'https://events.pagerduty.com/integration/integration_key_goes_here/enqueue',
  'https://www.dropbox.com/scl/fi/abc/x.pdf?rlkey=your_link_key_goes_here',
  '/var/cache/cron/daily/3f786850e387550fdab836ed7e6dc881',
  'GET /api/webhooks/7b0d6a52-31c4-4f0e-9c1d-2a8e5b6f7c90 200',
])('takes nothing out of the example %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});
