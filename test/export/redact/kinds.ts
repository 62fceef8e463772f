import { createHash } from 'node:crypto';

/** A kind of secret as a session may hold it. */
export interface Kind {
  readonly kind: string;
  /** With what is around it. */
  readonly text: string;
  /** What must be nowhere in a redacted document. */
  readonly core: string;
}

const HEX = '0123456789abcdef';
const DIGITS = '0123456789';
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const ALNUM = UPPER + LOWER + DIGITS;
const UPNUM = UPPER + DIGITS;

/** Made up here, so that no key stands in this repository: random to the eye, the same in each run. */
function chars(seed: string, length: number, alphabet: string = ALNUM): string {
  let made = '';
  for (let block = 0; made.length < length; block += 1) {
    const bytes = createHash('sha256').update(`${seed}/${block}`).digest();
    for (const byte of bytes) made += alphabet[byte % alphabet.length] ?? '';
  }
  return made.slice(0, length);
}

function uuid(seed: string): string {
  const hex = chars(seed, 32, HEX);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const base64url = (text: string): string => Buffer.from(text).toString('base64url');

/** Keys by their shape; `#` stands for what is random. */
const SHAPES: Readonly<Record<string, string | (() => string)>> = {
  'AWS access key': () => `AKIA${chars('aws', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  'AWS temporary key': () => `ASIA${chars('asia', 16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`,
  'Google API key': () => `AIza${chars('aiza', 35)}`,
  'Google access token': () => `ya29.a0${chars('ya29', 60)}`,
  'Google refresh token': () => `1//0${chars('refresh', 60)}`,
  'Google client secret': () => `GOCSPX-${chars('gocspx', 28)}`,
  'Azure client secret': () => `${chars('azure', 3)}8Q~${chars('azure2', 34)}`,
  'Azure SAS': () => `https://x.blob.core.windows.net/a?sv=2024-01-01&sig=${chars('sas', 43)}%3D`,
  'GitHub token': () => `ghp_${chars('ghp', 36)}`,
  'GitHub app token': () => `ghs_${chars('ghs', 36)}`,
  'GitHub OAuth token': () => `gho_${chars('gho', 36)}`,
  'GitHub fine-grained token': () => `github_pat_11${chars('pat', 20)}_${chars('pat2', 59)}`,
  'GitLab token': () => `glpat-${chars('glpat', 20)}`,
  'GitLab deploy token': () => `gldt-${chars('gldt', 20)}`,
  'Atlassian token': () => `ATATT3xFfGF0${chars('atatt', 60)}`,
  'Bitbucket app password': () => `ATBB${chars('atbb', 32)}`,
  'npm token': () => `npm_${chars('npm', 36)}`,
  'PyPI token': () => `pypi-AgEIcHlwaS5vcmc${chars('pypi', 60)}`,
  'RubyGems key': () => `rubygems_${chars('gems', 48, HEX)}`,
  'crates.io token': () => `cio${chars('cio', 32)}`,
  'NuGet key': () => `oy2${chars('nuget', 43, LOWER + DIGITS)}`,
  'Docker Hub token': () => `dckr_pat_${chars('dckr', 27)}`,
  'Slack bot token': () =>
    `xoxb-${chars('xoxb', 12, DIGITS)}-${chars('xoxb2', 12, DIGITS)}-${chars('xoxb3', 24)}`,
  'Slack app token': () =>
    `xapp-1-A${chars('xapp', 10, UPNUM)}-${chars('xapp2', 12, DIGITS)}-${chars('xapp3', 64, HEX)}`,
  'Slack webhook': () =>
    `https://hooks.slack.com/services/T${chars('hook', 8, UPNUM)}/B${chars('hook2', 8, UPNUM)}/${chars('hook3', 24)}`,
  'Discord bot token': () =>
    `MT${chars('discord', 24)}.G${chars('discord2', 5)}.${chars('discord3', 38)}`,
  'Discord webhook': () =>
    `https://discord.com/api/webhooks/${chars('dwh', 18, DIGITS)}/${chars('dwh2', 68)}`,
  'Telegram bot token': () => `${chars('tg', 10, '123456789')}:AA${chars('tg2', 33)}`,
  'Telegram URL': () =>
    `https://api.telegram.org/bot${chars('tgu', 10, '123456789')}:AA${chars('tgu2', 33)}/getMe`,
  'Stripe key': () => `sk_live_${chars('stripe', 24)}`,
  'Stripe webhook secret': () => `whsec_${chars('whsec', 32)}`,
  'Square token': () => `sq0atp-${chars('square', 22)}`,
  'Shopify token': () => `shpat_${chars('shopify', 32, HEX)}`,
  'SendGrid key': () => `SG.${chars('sg', 22)}.${chars('sg2', 43)}`,
  'Mailgun key': () => `key-${chars('mailgun', 32, HEX)}`,
  'Mailchimp key': () => `${chars('mailchimp', 32, HEX)}-us14`,
  'Resend key': () => `re_${chars('resend', 8)}_${chars('resend2', 24)}`,
  'Twilio key': () => `SK${chars('twilio', 32, HEX)}`,
  'OpenAI key': () => `sk-proj-${chars('openai', 74)}T3BlbkFJ${chars('openai2', 74)}`,
  'OpenAI legacy key': () => `sk-${chars('openai-old', 48)}`,
  'Anthropic key': () => `sk-ant-api03-${chars('ant', 93)}AA`,
  'OpenRouter key': () => `sk-or-v1-${chars('openrouter', 64, HEX)}`,
  'DeepSeek key': () => `sk-${chars('deepseek', 32, HEX)}`,
  'xAI key': () => `xai-${chars('xai', 80)}`,
  'Groq key': () => `gsk_${chars('groq', 52)}`,
  'Perplexity key': () => `pplx-${chars('pplx', 48)}`,
  'Hugging Face token': () => `hf_${chars('hf', 34, UPPER + LOWER)}`,
  'Replicate token': () => `r8_${chars('r8', 37)}`,
  'Fireworks key': () => `fw_${chars('fw', 32)}`,
  'Together key': () => `tgp_v1_${chars('tgp', 43)}`,
  'NVIDIA key': () => `nvapi-${chars('nvapi', 64)}`,
  'Tavily key': () => `tvly-dev-${chars('tvly', 32)}`,
  'ElevenLabs key': () => `sk_${chars('eleven', 48, HEX)}`,
  'LangSmith key': () => `lsv2_pt_${chars('ls', 32, HEX)}_${chars('ls2', 10, HEX)}`,
  'Langfuse key': () => `sk-lf-${uuid('langfuse')}`,
  'DigitalOcean token': () => `dop_v1_${chars('do', 64, HEX)}`,
  'Heroku key': () => `HRKU-${uuid('heroku')}`,
  'Fly.io token': () => `FlyV1 fm2_${chars('fly', 90)}`,
  'Vercel token': () => `vcp_${chars('vercel', 56)}`,
  'Netlify token': () => `nfp_${chars('netlify', 36)}`,
  'Databricks token': () => `dapi${chars('dapi', 32, HEX)}`,
  'PlanetScale password': () => `pscale_pw_${chars('pscale', 43)}`,
  'Pulumi token': () => `pul-${chars('pulumi', 40, HEX)}`,
  'Tailscale key': () => `tskey-auth-${chars('ts', 12)}-${chars('ts2', 32)}`,
  'Vault token': () => `hvs.${chars('hvs', 95)}`,
  'Doppler token': () => `dp.pt.${chars('doppler', 43)}`,
  'Notion token': () => `ntn_${chars('ntn', 46)}`,
  'Notion legacy token': () => `secret_${chars('notion', 43)}`,
  'Sentry token': () => `sntryu_${chars('sentry', 64, HEX)}`,
  'Sentry DSN': () => `https://${chars('dsn', 32, HEX)}@o123.ingest.sentry.io/456789`,
  'Supabase key': () => `sb_secret_${chars('supabase', 31)}`,
  'Supabase token': () => `sbp_${chars('sbp', 40, HEX)}`,
  'Linear key': () => `lin_api_${chars('linear', 40)}`,
  'Airtable token': () => `pat${chars('airtable', 14)}.${chars('airtable2', 64, HEX)}`,
  'Postman key': () => `PMAK-${chars('pmak', 24, HEX)}-${chars('pmak2', 34, HEX)}`,
  'New Relic key': () => `NRAK-${chars('nrak', 27, UPNUM)}`,
  'Grafana token': () => `glsa_${chars('glsa', 32)}_${chars('glsa2', 8, HEX)}`,
  'Figma token': () => `figd_${chars('figd', 40)}`,
  'SonarQube token': () => `squ_${chars('squ', 40, HEX)}`,
  '1Password secret key': () =>
    `A3-${chars('1p', 6, UPNUM)}-${chars('1p2', 6, UPNUM)}-${['a', 'b', 'c', 'd'].map((part) => chars(part, 5, UPNUM)).join('-')}`,
  'age secret key': () => `AGE-SECRET-KEY-1${chars('age', 58, UPNUM)}`,
  'Fly.io macaroon': () => `fm2_${chars('fm2', 120)}==`,
  'Fly.io OAuth token': () => `fo1_${chars('fo1', 43)}`,
  'Square access token': () => `EAAA${chars('eaaa', 60)}`,
  'Vault token before 1.10': () => `s.${chars('vault2', 24)}`,
  'Vault batch token': () => `hvb.${chars('hvb', 140)}`,
  'Grafana Cloud token': () => `glc_${base64(`{"o":"1","n":"x","k":"${chars('glc', 24)}"}`)}`,
  'Grafana legacy key': () => base64(`{"k":"${chars('grafana', 32)}","n":"x","id":1}`),
  'Fireworks short key': () => `fw_${chars('fw2', 24)}`,
  'Figma OAuth token': () => `figu_${chars('figu', 40)}`,
  'Figma refresh token': () => `figur_${chars('figur', 40)}`,
  'GitLab runner registration': () => `GR1348941${chars('gr', 20)}`,
  'GitLab workspace token': () => `glwt-${chars('glwt', 20)}`,
  'AWS Bedrock key': () => `ABSKQmVkcm9ja0FQSUtleS${chars('absk', 100)}`,
  'AWS token of a session': () => `IQoJb3JpZ2luX2VjE${chars('iqo', 300)}`,
  'Azure storage key by its mark': () => `${chars('ast', 76)}+ASt${chars('ast2', 6)}==`,
  'Azure OpenAI key': () =>
    `${chars('acog', 52)}JQQJ99B${chars('acog2', 11, UPNUM)}ACOG${chars('x', 4)}`,
  'Azure DevOps token': () => `${chars('azdo', 75)}AZDO${chars('azdo2', 4)}`,
  'Google OAuth code': () => `4/0A${chars('oauth', 60)}`,
  'Google Gemini key': () => `AQ.Ab8${chars('gemini', 47)}`,
  'Firebase messaging key': () => `AAAA${chars('fcm', 7)}:APA91b${chars('fcm2', 134)}`,
  'OpenAI temporary key': () => `ek_${chars('ek', 32, HEX)}`,
  'Pinecone key': () => `pcsk_${chars('pcsk', 5)}_${chars('pcsk2', 58)}`,
  'Weights & Biases key': () => `wandb_v1_${chars('wandb', 60)}`,
  'RunPod key': () => `rpa_${chars('rpa', 44, UPNUM)}`,
  'Cursor key': () => `crsr_${chars('crsr', 64, HEX)}`,
  'Sourcegraph token': () => `sgp_${chars('sgp', 16, HEX)}_${chars('sgp2', 40, HEX)}`,
  'Apify token': () => `apify_api_${chars('apify', 36)}`,
  'Zhipu key': () => `${chars('zhipu', 32, HEX)}.${chars('zhipu2', 16)}`,
  'Cloudflare token': () => `cfut_${chars('cfut', 48)}`,
  'Deno Deploy token': () => `ddp_${chars('ddp', 36)}`,
  'Neon password': () => `npg_${chars('npg', 12)}`,
  'MongoDB Atlas secret': () => `mdb_sa_sk_${chars('mdb', 40)}`,
  'ClickHouse key': () => `4b1d${chars('click', 38)}`,
  'Snowflake token': () => `ver:1-hint:1234-ETMs${chars('snow', 100)}`,
  'Artifactory key': () => `AKCp${chars('akcp', 69)}`,
  'Artifactory reference token': () => `cmVmd${chars('cmvmd', 59)}`,
  'Datadog token': () => `ddpat_${chars('ddpat', 40)}`,
  'New Relic license key': () => `${chars('nral', 36, HEX)}NRAL`,
  'Honeycomb key': () => `hcaik_01${chars('hcaik', 56, LOWER + DIGITS)}`,
  'PostHog key': () => `phx_${chars('phx', 43)}`,
  'Stripe payment secret': () => `pi_3${chars('pi', 23)}_secret_${chars('pi2', 25)}`,
  'Plaid token': () => `access-production-${uuid('plaid')}`,
  'Mailgun signing key': () =>
    `${chars('mg', 32, HEX)}-${chars('mg2', 8, HEX)}-${chars('mg3', 8, HEX)}`,
  'HubSpot token': () => `pat-na1-${uuid('hubspot')}`,
  'Asana token': () =>
    `2/${chars('as', 16, DIGITS)}/${chars('as2', 16, DIGITS)}:${chars('as3', 32, HEX)}`,
  'Trello token': () => `ATTA${chars('atta', 64, HEX)}`,
  'Salesforce session': () => `00D${chars('sf', 12)}!AQ${chars('sf2', 90)}`,
  'Okta token': () => `00${chars('okta', 40)}`,
  'OpenShift token': () => `sha256~${chars('sha', 43)}`,
  'Rancher token': () => `token-${chars('r', 5, LOWER)}:${chars('r2', 54, LOWER + DIGITS)}`,
  'RapidAPI key': () =>
    `${chars('ra', 10, HEX)}msh${chars('ra2', 15, HEX)}p${chars('ra3', 6, HEX)}jsn${chars('ra4', 12, HEX)}`,
  'Yandex token': () => `y0_${chars('y0', 55)}`,
  'Feishu webhook': () => `https://open.feishu.cn/open-apis/bot/v2/hook/${uuid('feishu')}`,
  'JSON web token': () =>
    `${base64url('{"alg":"HS256","typ":"JWT"}')}.${base64url('{"sub":"1234567890","a":1}')}.${chars('jwt', 43)}`,
  'password hash': () => `$2b$12$${chars('bcrypt', 53)}`,
};

const P = (seed: string): string =>
  `${chars(seed, 5)}-${chars(seed, 4, DIGITS)}x${chars(`${seed}2`, 5)}`;
const PEM = Array.from({ length: 6 }, (_, index) => chars(`pem${index}`, 64));
const KEY_MARK = 'PRIVATE KEY-----';

/** Secrets by what stands around them; `*` is the secret. */
const CONTEXTS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  '.env line': ['PORT=1\nDB_PASSWORD=*\nDEBUG=1', P('env')],
  'session secret': ['SESSION_SECRET=*', P('session')],
  'quoted .env line': ['export API_TOKEN="*"', P('quoted')],
  'YAML password': ['db:\n  user: app\n  password: *\n', P('yaml')],
  'ini password': ['[db]\npassword = *\n', P('ini')],
  'JSON password': ['{"user": "app", "password": "*"}', P('json')],
  'JSON in a string': [String.raw`"{\"password\": \"*\"}"`, P('json2')],
  'XML password': ['<user>app</user><password>*</password>', P('xml')],
  'password in code': ["const dbPassword = '*';", P('code')],
  'Basic authorization': ['Authorization: Basic *', base64(`app:${P('basic')}`)],
  'Bearer authorization': ['Authorization: Bearer *', chars('bearer', 32)],
  'x-api-key': ['-H "x-api-key: *"', chars('xapikey', 32)],
  Cookie: ['Cookie: theme=dark; sid=*', chars('cookie', 32)],
  'Set-Cookie': ['Set-Cookie: sid=*; HttpOnly', chars('setcookie', 32)],
  '--password': ['deploy --user app --password *', P('option')],
  '--token=': ['deploy --token=*', P('option2')],
  'curl -u': ['curl -s -u app:* https://example.com/', P('curl')],
  'sshpass -p': ["sshpass -p '*' ssh app@host", P('sshpass')],
  'mysql -p': ['mysql -u root -p* shop', P('mysql')],
  'docker login -p': ['docker login -u app -p * registry.example.com', P('dockerlogin')],
  'redis-cli -a': ['redis-cli -h cache -a * ping', P('rediscli')],
  PGPASSWORD: ['PGPASSWORD=* psql -h db', P('pg')],
  'sudo from echo': ['echo * | sudo -S apt update', P('sudo')],
  netrc: ['machine api.example.com\nlogin app\npassword *\n', P('netrc')],
  '.pgpass': ['db.internal:5432:shop:app:*', P('pgpass')],
  JDBC: ['jdbc:sqlserver://db:1433;user=app;password=*;encrypt=true', P('jdbc')],
  'database URL': ['postgres://app:*@db.internal:5432/app', P('pgurl')],
  'Redis URL': ['redis://:*@cache:6379/0', P('redis')],
  'AMQP URL': ['amqp://app:*@queue:5672/', P('amqp')],
  'URL parameter': ['https://example.com/x?user=a&access_token=*&page=2', chars('query', 24)],
  'kubeconfig token': ['users:\n- user:\n    token: *\n', chars('kube', 40)],
  'Kubernetes secret': ['kind: Secret\ndata:\n  password: *\n', base64(P('k8s'))],
  'Kubernetes variable': ['- name: DB_PASSWORD\n  value: *\n', P('k8senv')],
  'Docker auth': ['{"auths": {"r.example.com": {"auth": "*"}}}', base64(`app:${P('docker')}`)],
  'npm legacy token': ['//registry.npmjs.org/:_authToken=*', uuid('npmrc')],
  'AWS secret key': ['aws_secret_access_key = *', chars('awssecret', 40)],
  'AWS session token': ['AWS_SESSION_TOKEN=*', `IQoJb3JpZ2luX2VjE${chars('awssession', 200)}==`],
  'Azure storage key': [
    'AccountName=a;AccountKey=*;EndpointSuffix=core.windows.net',
    `${chars('azstore', 86)}==`,
  ],
  'Mistral key by its variable': ['MISTRAL_API_KEY=*', chars('mistral', 32)],
  'Cloudflare token by its variable': ['CLOUDFLARE_API_TOKEN=*', chars('cf', 40)],
  'Heroku key by its variable': ['HEROKU_API_KEY=*', uuid('herokuvar')],
  'Twilio token by its variable': ['TWILIO_AUTH_TOKEN=*', chars('twiliovar', 32, HEX)],
  WireGuard: ['[Interface]\nPrivateKey = *\nAddress = 10.0.0.1/24', `${chars('wg', 43)}=`],
  'SQL password': ["ALTER ROLE app WITH PASSWORD '*';", P('sql')],
  'OpenSSL passphrase': ['openssl rsa -in k.pem -passin pass:*', P('openssl')],
  'Dockerfile variable': ['FROM node\nENV DB_PASSWORD *\n', P('dockerfile')],
  'private key': [`-----BEGIN RSA ${KEY_MARK}\n*\n-----END RSA ${KEY_MARK}`, PEM.join('\n')],
  'private key, cut off': [`-----BEGIN ${KEY_MARK}\n*`, PEM.slice(0, 3).join('\n')],
  'private key, its end only': [`*\n-----END ${KEY_MARK}`, PEM.slice(3).join('\n')],
  'private key behind names of files': [
    `*\nk.pem------END ${KEY_MARK}`,
    [`k.pem------BEGIN ${KEY_MARK}`, ...PEM.map((line) => `k.pem-${line}`)].join('\n'),
  ],
  'private key without its marks': ['*', `MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n${PEM.join('\n')}`],
  'PuTTY private key': ['Private-Lines: 6\n*\nPrivate-MAC: 0', PEM.join('\n')],
  'OpenPGP private key': [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n*\n=aB3d`, PEM.join('\n')],
  'coloured .env line': ['\u001b[32mDB_PASSWORD\u001b[0m=\u001b[33m*\u001b[0m', P('colour')],
  'added line of a diff': ['@@ -1 +1 @@\n-password: old\n+password: *', P('diff')],
  'numbered line': ['    12\tDB_PASSWORD=*', P('numbered')],
  'row of a table': ['| DB_PASSWORD | * |', P('row')],
  'column of a table': ['| user | password |\n|------|----------|\n| app | * |', P('column')],
  'column of psql': [' user | password\n------+------\n app  | *\n(1 row)', P('psql')],
  'column of CSV': ['user,password\napp,*', P('csv')],
  'column of SQL': [
    "INSERT INTO users (name, password) VALUES ('a', 'b'), ('app', '*')",
    P('insert'),
  ],
  'bold in Markdown': ['**Password:** *', P('bold')],
  'code in Markdown': ['- **Password**: `*`', P('mdcode')],
  'aligned in Terraform': ['  password             = "*"', P('terraform')],
  'YAML block': ['password: |\n  *\n', P('block')],
  'YAML tag': ['password: !!str *', P('tag')],
  'value on the next line': ['"password":\n    "*"', P('nextline')],
  'list of passwords': ['"passwords": ["*", "x"]', P('list')],
  'typed constant': ['const API_KEY: &str = "*";', P('typed')],
  'default in a shell': ['POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:-*}', P('default')],
  'default in a program': ['const password = process.env.PW || "*"', P('fallback')],
  'default of a variable': ['os.getenv("DB_PASSWORD", "*")', P('getenv')],
  setter: ['dataSource.setPassword("*")', P('setter')],
  'argument after a user': ['new NetworkCredential("app", "*")', P('credential')],
  'bytes of Python': ["password = b'*'", P('bytes')],
  'raw string of Python': ['DB_PASSWORD = r"*"', P('raw')],
  'formatted string of Python': ['os.environ["X_TOKEN"] = f"*"', P('formatted')],
  'object around a secret': ['api_key=SecretStr("*")', P('secretstr')],
  'string of Rust': ['let password = String::from("*");', P('rust')],
  'raw string of Rust': ['let password = r#"*"#;', P('rustraw')],
  'slice of Go': ['var secret = []byte("*")', P('go')],
  'verbatim string of C#': ['var password = @"*";', P('verbatim')],
  'string of C++': ['auto password = R"(*)";', P('cpp')],
  'string of Perl': ['password => q{*},', P('perl')],
  'string of Visual Basic': ['Dim password As String = "*"', P('basic2')],
  'array of C': ['const char wifi_password[] = "*";', P('array')],
  'arrow of R': ['password <- "*"', P('arrow')],
  'choice in a program': ["const password = isTest ? x : '*'", P('choice')],
  builder: ['Client::new()\n    .password("*")', P('builder')],
  'call after a field': ["cy.get('#password').type('*')", P('field')],
  'field of a page': ["page.fill('input[name=password]', '*')", P('fill')],
  'third argument': ["mysqli_connect('db', 'app', '*', 'shop')", P('mysqli')],
  'pair of a login': ["requests.get(url, auth=('app', '*'))", P('pair')],
  'key of a signature': ["createHmac('sha256', '*')", P('hmac')],
  'setter of the environment': ['os.Setenv("DB_PASSWORD", "*")', 'hunt269erhof'],
  'string of a shell': ["DB_PASSWORD=$'*'", P('ansi')],
  'output of a command': ['PASSWORD="$(echo *)"', P('echo')],
  'here string': ['read -r PASSWORD <<< "*"', P('here')],
  'here document': ['docker login -u app --password-stdin <<EOF\n*\nEOF', P('heredoc')],
  'Oracle URL': ['jdbc:oracle:thin:app/*@db:1521/orcl', P('oracle')],
  sqlplus: ['sqlplus -s -L app/*@db', P('sqlplus')],
  'connection string': ['Data Source=db;User ID=app;Password=*;Encrypt=True', P('datasource')],
  'data source of Go': ['app:*@tcp(db:3306)/shop', P('dsn')],
  mongosh: ['mongosh -u app -p * shop', P('mongosh')],
  'vault login': ['vault login *', P('vaultlogin')],
  'npm config': ['npm config set //registry.npmjs.org/:_authToken *', P('npmconfig')],
  'quoted SQL password': ['ALTER USER app IDENTIFIED BY "*"', P('quotedsql')],
  'variable of Terraform': ['variable "db_password" {\n  default = "*"\n}', P('variable')],
  'output of Terraform': ['{"db_password": {"sensitive": true, "value": "*"}}', P('tfoutput')],
  'part of a form': ['Content-Disposition: form-data; name="password"\n\n*\n', P('part')],
  'password changed to': ['I changed the password to *', P('changed')],
  'password below its name': ['use this password to proceed:\n\n*\n', P('below')],
  '#define': ['#define WIFI_PASSWORD "*"', P('define')],
  'PowerShell secure string': ['ConvertTo-SecureString "*" -AsPlainText', P('secure')],
  'XML element with a key': ['<entry key="password">*</entry>', P('entry')],
  'XML on lines of its own': ['<password>\n  *\n</password>', P('xmllines')],
  'property list': ['<key>Password</key>\n<string>*</string>', P('plist')],
  'form field': ['<input value="*" type="password">', P('form')],
  'two words': ['Access Key: *', P('twowords')],
  'after is': ['the password is *', P('is')],
  'another language': ['密码：*', P('foreign')],
  'sudo prompt': ['[sudo] password for app: *', P('prompt')],
  'option on the next line': ['deploy --password \\\n    *', P('optionline')],
  'arguments in JSON': ['{"argv": ["sshpass", "-p", "*", "ssh"]}', P('argv')],
  'aws configure': ['aws configure set aws_secret_access_key *', P('awsconf')],
  'Azure key vault': ['az keyvault secret set --vault-name v --name n --value *', P('vaultset')],
  'kubectl literal': ['kubectl create secret generic x --from-literal=pin=*', P('literal')],
  'secret from echo': ['echo "*" | gh secret set API_KEY', P('ghsecret')],
  chpasswd: ["echo 'app:*' | chpasswd", P('chpasswd')],
  'ssh-keygen -N': ['ssh-keygen -t rsa -N "*" -f k', P('keygen')],
  'keytool -storepass': ['keytool -storepass * -list', P('keytool')],
  'net use': ['net use z: \\\\srv\\share * /user:dom\\app', P('netuse')],
  'Redis AUTH': ['127.0.0.1:6379> AUTH *', P('auth')],
  'redis.conf': ['requirepass *', P('redisconf')],
  'curl -su': ["curl -su 'app:*' https://example.com/", P('curlsu')],
  'cookie without quotes': ['curl -b sid=* https://example.com/', P('curlb')],
  'cookie jar': ['.example.com\tTRUE\t/\tTRUE\t1700000000\tsid\t*', P('jar')],
  'HAR cookie': ['"cookies": [{"name": "sid", "value": "*"}]', P('har')],
  'JSON web key': ['{"kty": "OKP", "crv": "Ed25519", "d": "*"}', chars('jwk', 43)],
  'encrypted JSON web token': [
    `${base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.${chars('jwe', 80)}.*.${chars('jwe2', 60)}.${chars('jwe3', 22)}`,
    chars('jwe4', 16),
  ],
  'session of a web framework': [`eyJ1c2VyX2lkIjoxfQ.${chars('flask', 6)}.*`, chars('flask2', 27)],
  'key in base64': ['echo * | base64 -d', base64(`token ghp_${chars('b64', 36)} end`)],
  'key in hexadecimal': ['xxd: *', Buffer.from(`ghp_${chars('hex', 36)}`).toString('hex')],
};

/** All of them, each once. */
export const KINDS: readonly Kind[] = [
  ...Object.entries(SHAPES).map(([kind, shape]) => {
    const text = typeof shape === 'function' ? shape() : shape;
    return { kind, text, core: toCore(text) };
  }),
  ...Object.entries(CONTEXTS).map(([kind, [text, secret]]) => ({
    kind,
    text: text.replace(/\*(?=[^*]*$)/, () => secret),
    core: secret.split('\n')[1] ?? secret,
  })),
];

/** What nothing gives away. */
export const MISSED: readonly Kind[] = Object.entries({
  'password in a sentence': P('sentence'),
  'random key with nothing around it': chars('nothing', 40),
  'words of a seed phrase':
    'abandon ability able about above absent absorb abstract absurd abuse access',
}).map(([kind, secret]) => ({ kind, text: `it is ${secret} by the way`, core: secret }));

/** Of a key, what is random: the longest run of its letters and digits. */
function toCore(text: string): string {
  return text.split(/[^A-Za-z0-9]+/).reduce((a, b) => (b.length > a.length ? b : a));
}

/** A GitHub token that is another for each seed. */
export function makeKey(seed: string): string {
  return `ghp_${chars(seed, 36)}`;
}
