import { chars, DIGITS, HEX, LOWER, uuid } from './made-up.ts';

const SMALL = LOWER + DIGITS;

/** Addresses with a secret in their path, where `*` stands. */
export const ADDRESSES: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  'Airtable webhook': [
    'https://hooks.airtable.com/workflows/v1/genericWebhook/*',
    `app${chars('airtable', 14)}/wfl${chars('airtable2', 14)}/wtr${chars('airtable3', 14)}`,
  ],
  'Alchemy node': ['https://eth-mainnet.g.alchemy.com/v2/*', chars('alchemy', 32)],
  'Ankr node': ['https://rpc.ankr.com/eth/*', chars('ankr', 64, HEX)],
  'Bark device': ['https://api.day.app/*/title', chars('bark', 22)],
  'Better Stack heartbeat': [
    'https://uptime.betterstack.com/api/v1/heartbeat/*',
    chars('betterstack', 24),
  ],
  'Bitrise hook': [
    'https://hooks.bitrise.io/h/github/*',
    `${chars('bitrise', 16, HEX)}/${chars('bitrise2', 22)}`,
  ],
  'Blast node': ['https://eth-mainnet.blastapi.io/*', uuid('blast')],
  'Chainstack node': ['https://nd-123-456-789.p2pify.com/*', chars('chainstack', 32, HEX)],
  'Cloudsmith repository': [
    'https://dl.cloudsmith.io/*/acme/repo/setup.deb.sh',
    chars('cloudsmith', 16),
  ],
  'Composio server': ['https://mcp.composio.dev/composio/server/*', uuid('composio')],
  'Cronitor monitor': ['https://cronitor.link/p/*/nightly', chars('cronitor', 32, HEX)],
  "Dead Man's Snitch": ['https://nosnch.in/*', chars('snitch', 10, HEX)],
  'Docker Hub trigger': [
    'https://hub.docker.com/api/build/v1/source/*/call/',
    `${uuid('hub')}/trigger/${uuid('hub2')}`,
  ],
  'Dropbox link': [
    'https://www.dropbox.com/scl/fi/abc/x.pdf?rlkey=*&dl=0',
    chars('dropbox', 25, SMALL),
  ],
  'ExchangeRate key': [
    'https://v6.exchangerate-api.com/v6/*/latest/USD',
    chars('exchange', 24, HEX),
  ],
  'Feishu webhook': ['https://open.feishu.cn/open-apis/bot/v2/hook/*', uuid('feishu')],
  'Font Awesome registry': ['https://npm.fontawesome.com/*/', uuid('fontawesome').toUpperCase()],
  'GetBlock node': ['https://go.getblock.io/*', chars('getblock', 32, HEX)],
  'Google calendar': [
    'https://calendar.google.com/calendar/ical/bob%40example.com/private-*/basic.ics',
    chars('calendar', 32, HEX),
  ],
  'Grafana OnCall': [
    'https://oncall.example.com/oncall/integrations/v1/alertmanager/*/',
    chars('oncall', 25),
  ],
  'Healthchecks ping': ['curl -fsS https://hc-ping.com/*', uuid('healthchecks')],
  'Healthchecks ping by name': ['https://hc-ping.com/*/backup', chars('healthchecks2', 22)],
  'Home Assistant webhook': ['https://ha.example.com/api/webhook/*', chars('assistant', 24)],
  'IFTTT key': ['https://maker.ifttt.com/trigger/door/with/key/*', chars('ifttt', 22)],
  'Infura node': ['https://mainnet.infura.io/v3/*', chars('infura', 32, HEX)],
  'Integromat hook': ['https://hook.integromat.com/*', chars('integromat', 32, SMALL)],
  'Loggly input': ['https://logs-01.loggly.com/inputs/*/tag/http/', uuid('loggly')],
  'Make hook': ['https://hook.eu2.make.com/*', chars('make', 32, SMALL)],
  'Mattermost webhook': ['https://chat.example.com/hooks/*', chars('mattermost', 26, SMALL)],
  'Netlify build hook': ['https://api.netlify.com/build_hooks/*', chars('netlify', 24, HEX)],
  'NodeReal node': ['https://bsc-mainnet.nodereal.io/v1/*', chars('nodereal', 32, HEX)],
  'PagerDuty integration': [
    'https://events.pagerduty.com/integration/*/enqueue',
    chars('pagerduty', 32, HEX),
  ],
  'Pipedream server': ['https://mcp.pipedream.net/*/slack', uuid('pipedream')],
  'Portainer webhook': ['https://portainer.example.com/api/webhooks/*', uuid('portainer')],
  'QuickNode node': [
    'https://icy-bold-moon.solana-mainnet.quiknode.pro/*/',
    chars('quicknode', 40, HEX),
  ],
  'Rocket.Chat webhook': [
    'https://chat.example.com/hooks/*',
    `${chars('rocket', 24, HEX)}/${chars('rocket2', 48)}`,
  ],
  'Sentry monitor': ['https://o1.ingest.sentry.io/api/1/cron/nightly/*/', chars('cron', 32, HEX)],
  'ServerChan key': ['https://sctapi.ftqq.com/*.send', `SCT123456T${chars('serverchan', 25)}`],
  'Splunk On-Call': [
    'https://alert.victorops.com/integrations/generic/20131114/alert/*/route',
    uuid('victorops'),
  ],
  'Teams webhook': [
    'https://acme.webhook.office.com/webhookb2/*',
    `${uuid('teams')}@${uuid('teams2')}/IncomingWebhook/${chars('teams3', 32, HEX)}/${uuid('teams4')}`,
  ],
  'Teams webhook, older': [
    'https://outlook.office.com/webhook/*',
    `${uuid('teams5')}@${uuid('teams6')}/IncomingWebhook/${chars('teams7', 32, HEX)}/${uuid('teams8')}`,
  ],
  'Tenderly fork': ['https://rpc.tenderly.co/fork/*', uuid('tenderly')],
  'Tenderly gateway': ['https://mainnet.gateway.tenderly.co/*', chars('tenderly2', 22)],
  'Uptime Kuma push': ['https://kuma.example.com/api/push/*?status=up&msg=OK', chars('kuma', 10)],
  'Vercel deploy hook': [
    'https://api.vercel.com/v1/integrations/deploy/*',
    `prj_${chars('vercel-hook', 24)}/${chars('vercel-hook2', 10)}`,
  ],
  'Zapier hook': [
    'https://hooks.zapier.com/hooks/catch/*/',
    `${chars('zapier', 7, DIGITS)}/${chars('zapier2', 7, SMALL)}`,
  ],
};
