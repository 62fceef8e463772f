/** An example in the place of a secret: words, `your-project-id-1`, `appXXXXXX`. */
const EXAMPLE =
  /^(?:[a-z]+|[A-Z]+)(?:[-_/](?:[a-z]+|[A-Z]+|\d{1,4}))*$|^(?:your|YOUR)[-_]|x{6}|X{6}/;

/** Returns whether the value in such an address is a secret. */
export function isInAddress(value: string): boolean {
  return !EXAMPLE.test(value);
}

/** Addresses with a secret in their path: to know one is enough to use it. */
export const SECRET_ADDRESSES: readonly RegExp[] = [
  // Incoming messages of chats.
  /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{40,})/g,
  /outlook\.office(?:365)?\.com\/webhook\/(?<secret>[\w@/-]{40,})/g,
  /open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/v2\/hook\/(?<secret>[a-f0-9-]{36})/g,
  /\/hooks\/(?<secret>(?=[a-z]{0,25}\d)[a-z0-9]{26}|[a-f0-9]{24}\/[A-Za-z0-9]{24,})(?![\w-])/g,
  /api\.day\.app\/(?<secret>\w{20,})/g,
  /sct?(?:api)?\.ftqq\.com\/(?<secret>SC[TU]\w{20,})/g,
  // Automation, builds and deployments.
  /hooks\.zapier\.com\/hooks\/catch\/(?<secret>\d{3,12}\/\w{5,20})/g,
  /maker\.ifttt\.com\/[^\s"']{0,100}\/with\/key\/(?<secret>[\w-]{16,})/g,
  /hook\.(?:\w{1,6}\.make|integromat)\.com\/(?<secret>[a-z0-9]{20,})/g,
  /hooks\.airtable\.com\/workflows\/v1\/genericWebhook\/(?<secret>[\w/-]{30,})/g,
  /\/api\/webhook\/(?<secret>(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Z])[\w-]{20,}|[a-f0-9]{32,64}(?!\w))/g,
  /(?<=[\w})])\/api\/(?:stacks\/)?webhooks\/(?<secret>[a-f0-9-]{36})(?![\w-])/g,
  /hub\.docker\.com\/api\/build\/v1\/source\/(?<secret>[a-f0-9-]{36}\/trigger\/[a-f0-9-]{36})/g,
  /api\.vercel\.com\/v1\/integrations\/deploy\/(?<secret>[\w/-]{20,})/g,
  /api\.netlify\.com\/build_hooks\/(?<secret>[a-f0-9]{20,})/g,
  /hooks\.bitrise\.io\/h\/\w{1,20}\/(?<secret>[\w/-]{20,})/g,
  // Signs of life, and alarms.
  /hc-ping\.com\/(?<secret>[\w-]{20,})/g,
  /cronitor\.link\/(?:p\/)?(?<secret>[a-f0-9]{32})/g,
  /nosnch\.in\/(?<secret>[a-f0-9]{10})(?!\w)/g,
  /(?:betterstack|betteruptime)\.com\/api\/v1\/heartbeat\/(?<secret>\w{16,})/g,
  /\/api\/push\/(?<secret>\w{10,})\?status=/g,
  /pagerduty\.com\/(?:integration|x-ere)\/(?<secret>\w{20,})/g,
  /alert\.victorops\.com\/integrations\/[\w/]{1,60}\/alert\/(?<secret>[a-f0-9-]{36})/g,
  /\/oncall\/integrations\/v1\/\w{1,40}\/(?<secret>\w{20,})/g,
  /\/api\/\d{1,20}\/cron\/[\w-]{1,80}\/(?<secret>[a-f0-9]{32})(?!\w)/g,
  /loggly\.com\/(?:inputs|bulk)\/(?<secret>[a-f0-9-]{36})/g,
  // Nodes of blockchains, and other interfaces.
  /(?:alchemy\.com\/v2|infura\.io\/v3|nodereal\.io\/v1)\/(?<secret>[\w-]{20,})/g,
  /(?:quiknode\.pro|chainstack\.com|p2pify\.com|getblock\.io|publicnode\.com)\/(?<secret>[a-f0-9]{32,64})(?!\w)/g,
  /blastapi\.io\/(?<secret>[a-f0-9-]{36})/g,
  /rpc\.ankr\.com\/\w{1,40}\/(?<secret>[a-f0-9]{64})/g,
  /rpc\.tenderly\.co\/fork\/(?<secret>[a-f0-9-]{36})/g,
  /gateway\.tenderly\.co\/(?<secret>\w{20,})/g,
  /exchangerate-api\.com\/v6\/(?<secret>[a-f0-9]{24})(?!\w)/g,
  /mcp\.(?:pipedream\.net|composio\.dev\/composio\/server)\/(?<secret>[a-f0-9-]{36})/g,
  // Private calendars, links and registries.
  /\/calendar\/ical\/[^\s/]{1,200}\/private-(?<secret>[a-f0-9]{32})/g,
  /[?&]rlkey=(?<secret>\w{20,})/g,
  /npm\.fontawesome\.com\/(?<secret>[A-Fa-f0-9-]{36})/g,
  /dl\.cloudsmith\.io\/(?<secret>[A-Za-z0-9]{16})\//g,
];
