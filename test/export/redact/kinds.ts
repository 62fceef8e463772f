import { ALNUM, base64, base64url, chars, HEX, P, UPNUM, uuid, withSalt } from './made-up.ts';
import { PROGRAMS } from './kinds-of-programs.ts';
import { SHAPES } from './kinds-of-keys.ts';
import { ADDRESSES } from './kinds-of-addresses.ts';
import { PROVIDERS } from './kinds-of-providers.ts';

/** A kind of secret as a session may hold it. */
export interface Kind {
  readonly kind: string;
  /** The text with `…` for what is secret, or is another in each key. */
  readonly form: string;
  /** With what is around it. */
  readonly text: string;
  /** What must be nowhere in a redacted document. */
  readonly core: string;
}

const PEM = Array.from({ length: 6 }, (_, index) => chars(`pem${index}`, 64));
/** 32 bytes, as OpenSSL shows the numbers of a key. */
const NUMBER = chars('number', 64, HEX)
  .replaceAll(/../g, '$&:')
  .replaceAll(/(?:..:){15}/g, '$&\n    ')
  .slice(0, -1);
const KEY_MARK = 'PRIVATE KEY-----';

/** Secrets by what stands around them; `*` is the secret. */
const CONTEXTS: Readonly<Record<string, readonly [text: string, secret: string]>> = {
  '.env line': ['PORT=1\nDB_PASSWORD=*\nDEBUG=1', P('env')],
  'session secret': ['SESSION_SECRET=*', P('session')],
  'mask of a job': ['echo "::add-mask::*"', P('mask')],
  'secret variable of a job': [
    '##vso[task.setvariable variable=x;issecret=true]*',
    P('setvariable'),
  ],
  'file of s3fs': [`AKIA${chars('s3fsid', 16, UPNUM)}:*`, base64(chars('s3fs', 30))],
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
  'password hash of Windows': [
    `app:1001:aad3b435b51404eeaad3b435b51404ee:*:::`,
    chars('ntlm', 32, HEX),
  ],
  'short URL parameter key': ['https://example.com/x?key=*&page=2', 'a1b2c3d4e5'],
  'short URL parameter sig': ['https://example.com/x?a=b&sig=*', 'a1b2c3d4'],
  'short URL parameter code': ['https://example.com/x?a=b&code=*', '4f9a8b2c'],
  'short token in a URL': ['git clone https://*@example.com/a/b.git', 'a1B2c3D4e5F6'],
  'token in a URL instead of a user': ['https://*:x-oauth-basic@example.com/a', chars('oab', 24)],
  'user and password at a host': ['psql admin:*@db.internal', 'hunter269'],
  'any user and password at a host': ['ssh app7:*@10.0.0.7', P('athost')],
  'htpasswd -nb': ['htpasswd -nbB bob *', P('nb')],
  'openssl passwd': ['openssl passwd -6 *', P('opasswd')],
  'log of FTP': ['USER bob\r\n331 go on\r\nPASS *\r\n', P('ftplog')],
  NickServ: ['/msg NickServ IDENTIFY *', P('nick')],
  'header put together': ['"Basic " + btoa("app:*")', P('btoa')],
  'property of Java': ['mvn verify -Dsonar.login=*', chars('sonar', 40, HEX)],
  'token of a property of Java': ['gradle build -DsignToken=* -Dx=1', P('javatoken')],
  'store password of Java': ['java -Djavax.net.ssl.keyStorePassword=* -jar a.jar', 'horsestaple'],
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
  'private key, two lines of its middle': ['*\nmore', PEM.slice(2, 4).join('\n')],
  'PuTTY private key': ['Private-Lines: 6\n*\nPrivate-MAC: 0', PEM.join('\n')],
  'OpenPGP private key': [`-----BEGIN PGP PRIVATE KEY BLOCK-----\n\n*\n=aB3d`, PEM.join('\n')],
  'colored .env line': ['\u001b[32mDB_PASSWORD\u001b[0m=\u001b[33m*\u001b[0m', P('colour')],
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
  'default of an argument': ['TOKEN="${2:-*}"', P('argument')],
  'key of all signs': [
    "define( 'AUTH_KEY', '*' );",
    chars('wp', 64, `${ALNUM}!@#$%^&*()-_ []{}<>`),
  ],
  'salt of a program': ["define('NONCE_SALT', '*');", chars('salt', 32, HEX)],
  'two keys of Azure': [`{"key1": "*", "key2": "${chars('k2', 32, HEX)}"}`, chars('k1', 32, HEX)],
  'client of a service': ["algoliasearch('YK7X2LQ9AB', '*')", chars('algolia', 32, HEX)],
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
  'private key as text': ['priv:\n    *\npub:\n    04:c6:b1:cd', NUMBER],
  'JSON web key': ['{"kty": "OKP", "crv": "Ed25519", "d": "*"}', chars('jwk', 43)],
  'JSON web key in a program': ["{ kty: 'OKP', crv: 'Ed25519', d: '*' }", chars('jwk3', 43)],
  'JSON web key in a long program': ["{\n  kty: 'RSA',\n  d:\n      '*',\n}", chars('jwk5', 86)],
  'JSON web key in Python': ["{'kty': 'OKP', 'crv': 'Ed25519', 'd': '*'}", chars('jwk4', 43)],
  'encrypted JSON web token': [
    `${base64url('{"alg":"RSA-OAEP","enc":"A256GCM"}')}.${chars('jwe', 80)}.*.${chars('jwe2', 60)}.${chars('jwe3', 22)}`,
    chars('jwe4', 16),
  ],
  'session of a web framework': [`eyJ1c2VyX2lkIjoxfQ.${chars('flask', 6)}.*`, chars('flask2', 27)],
  'key in base64': ['echo * | base64 -d', base64(`token ghp_${chars('b64', 36)} end`)],
  'key in hexadecimal': ['xxd: *', Buffer.from(`ghp_${chars('hex', 36)}`).toString('hex')],
};

/** Keys that are known by their form alone. */
export const KEYS: readonly Kind[] = Object.entries({ ...SHAPES, ...PROVIDERS }).map(
  ([kind, make]) => ({ kind, form: toForm(make), text: make(), core: toCore(make()) }),
);

/** Secrets that are known by what stands around them. */
export const PLACES: readonly Kind[] = Object.entries({
  ...CONTEXTS,
  ...PROGRAMS,
  ...ADDRESSES,
}).map(([kind, [text, secret]]) => ({
  kind,
  form: replaceLast(text, '…'),
  text: replaceLast(text, secret),
  core: secret.split('\n')[1] ?? secret,
}));

/** All of them, each once. */
export const KINDS: readonly Kind[] = [...KEYS, ...PLACES];

/** What nothing gives away. */
export const MISSED: readonly Kind[] = Object.entries({
  'password in a sentence': P('sentence'),
  'random key with nothing around it': chars('nothing', 40),
  'private key, one line of its middle': PEM[3] ?? '',
  'words of a seed phrase':
    'abandon ability able about above absent absorb abstract absurd abuse access',
}).map(([kind, secret]) => ({
  kind,
  form: 'it is … by the way',
  text: `it is ${secret} by the way`,
  core: secret,
}));

/** What all keys of a kind have in common. */
function toForm(make: () => string): string {
  const [first = '', ...others] = ['', 'b', 'c', 'd', 'e'].map((salt) => withSalt(salt, make));
  const common = Array.from(first, (sign, at) =>
    others.every((other) => other[at] === sign) ? sign : '…',
  );
  return common.join('').replace(/…+/g, '…');
}

function replaceLast(text: string, by: string): string {
  return text.replace(/\*(?=[^*]*$)/, () => by);
}

/** Of a key, what is random: the longest run of its letters and digits. */
function toCore(text: string): string {
  return text.split(/[^A-Za-z0-9]+/).reduce((a, b) => (b.length > a.length ? b : a));
}

/** A GitHub token that is another for each seed. */
export function makeKey(seed: string): string {
  return `ghp_${chars(seed, 36)}`;
}
