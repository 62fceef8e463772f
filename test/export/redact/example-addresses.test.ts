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
  'ldapsearch -x -b dc=example,dc=org "(uid=bob)"',
  'ldapsearch -x -LLL -b "ou=people,dc=example,dc=org" uid=bob7',
  'ldapsearch -x -b uid=bob7,ou=people,dc=example,dc=org',
  'serviceAccount:123456789-compute@developer.gserviceaccount.com',
  '--member=user:222larabrown-x@gmail.com',
  'snapshots load --skip-pypi-packages-installation',
  'if token==None:',
  'if (token==undefined)',
  'return password==hash1;',
  'while(token!=expected1)',
  'isAuth=token===stored1;',
])('takes nothing out of the example %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'if password=="¤":',
  'if password!="¤":',
  'password==¤',
  'curl -b sid=¤ https://example.com',
  'curl -b "uid=¤; theme=dark" https://example.com',
])('takes the secret out of %s', async (text) => {
  const secret = 'wkBN72raYD19xc';
  expect(await redactText(text.replace('¤', secret))).not.toContain(secret);
});
