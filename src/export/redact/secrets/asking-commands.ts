/** Stores of secrets, commands of a shell that show one, and programs that make one up. */
const STORES_AND_SHELLS =
  /(?<![\w./-])(?:(?:kubectl|oc)[ \t][^\n]{0,200}?secrets?[ \t/][^\n]{0,200}?(?:jsonpath|go-template|base64[ \t]-)|(?:kubectl|oc)[ \t]create[ \t]token|pass[ \t](?:(?:show|otp)[ \t](?:-\w[ \t])?["']?[\w.@-]{1,60}|(?:-\w[ \t])?["']?[\w.@-]{1,60}\/)[\w./@-]{0,100}|gopass[ \t]show|bw[ \t]get[ \t](?:password|totp|notes)|lpass[ \t]show|op[ \t](?:read|item[ \t]get)|security[ \t]find-(?:generic|internet)-password|secret-tool[ \t]lookup|keyring[ \t]get|aws[ \t][^\n]{0,100}?(?:get-secret-value|get-parameters?|get-random-password|get-login-password)|gcloud[ \t](?:secrets[ \t]versions[ \t]access|auth[ \t][^\n]{0,40}?print-(?:access|identity)-token)|az[ \t](?:keyvault[ \t]secret[ \t]show|account[ \t]get-access-token)|(?:terraform|tofu|pulumi)[ \t][^\n]{0,60}?(?:output|config[ \t]get)[ \t][^\n|]{0,60}?(?:pass|secret|token|key|cred)|vault[ \t](?:kv[ \t]get|read|print[ \t]token)|(?:cat|bat|less|more|head|tail|type|Get-Content|xargs|base64[ \t]-\w{1,10})[ \t](?:-\S{1,10}[ \t])?[^\s|;&]{0,100}?(?:pass(?:w|phrase)|secret|token|credential|api[_-]?key|private[_.-]?key|master\.key|vault_pass|\.pass)[\w.-]{0,30}(?:\/[\w.-]{1,60}){0,3}(?<!\.(?:[cm]?[jt]sx?|py|md|json|ya?ml|go|rs|java|rb|php|html|css|sh|sql|xml|toml|cs|log))(?![\w./-])|(?:echo|printenv|print|Write-Output)[ \t]["']?[$%]?(?:env:)?\{?\w{0,60}(?:PASS(?:WORD|WD|PHRASE)?|SECRET|TOKEN|API_?KEY|PWD|(?:ACCESS|PRIVATE|SECRET|MASTER|SIGNING|ENCRYPTION|APP|SESSION)_KEY(?:_BASE)?)(?![\w(])|(?:jq|yq|dasel)[ \t][^\n|]{0,60}?[.'"[][\w-]{0,100}(?:password|passwd|(?<![a-z])pass|pwd|secret|token|(?:api|access|private|secret|master|signing|encryption)_?key)["'\]]{0,4}(?=[ \t\n<]|$)|wg[ \t]gen(?:key|psk)|openssl[ \t]rand|pwgen|(?:python\d?|node|bun|ruby|php|head|cat|tr|dd|npx)[ \t][^\n]{0,200}?(?:secrets\.token_|randomBytes\(|random_bytes\(|SecureRandom\.|Fernet\.generate_key|artisan[ \t]key:generate[ \t]--show|auth[ \t]secret(?!\w)|\/dev\/u?random(?!\w))|mix[ \t]phx\.gen\.secret|argocd[ \t][^\n]{0,40}?initial-password|(?:gh|glab|flyctl|fly|heroku)[ \t]auth[ :]token|heroku[ \t]config:get|doppler[ \t]secrets[ \t]get|(?:(?:bin\/)?rails|rake|manage\.py)[ \t](?:generate_)?secret(?:_key)?(?!\w)|chamber[ \t]read|npm[ \t]config[ \t]get[ \t]\S{0,100}_auth|htpasswd[ \t]-\w{0,3}n)/gi;

/** Other tools, and clients of services. */
const TOOLS =
  /(?<![\w./-])(?:rbw[ \t]get|gopass[ \t](?:-\w[ \t])?[\w.@-]{1,60}\/|keepassxc-cli[ \t]show|kwallet-query[ \t]-r|(?:dcli|dashlane)[ \t]password|bws[ \t]secret[ \t]get|berglas[ \t]access|sops[ \t][^\n|]{0,60}?(?:-d|--decrypt)(?![\w-])|gpg2?[ \t][^\n|]{0,80}?(?:-d|--decrypt)(?![\w-])|age[ \t](?:-d|--decrypt)(?![\w-])|ansible-vault[ \t](?:view|decrypt)|cast[ \t]wallet[ \t]private-key|bitcoin-cli[ \t][^\n|]{0,60}?dumpprivkey|Get-(?:AzKeyVault)?Secret[ \t][^\n|]{0,100}?-AsPlainText|firebase[ \t]login:ci|heroku[ \t]authorizations:create|docker[ \t]swarm[ \t]join-token[ \t]-q|kubeadm[ \t]token[ \t](?:create|generate)|(?:vault|fly|flyctl|npm)[ \t]tokens?[ \t]create|argocd[ \t]account[ \t]generate-token|apg[ \t]-|oc[ \t](?:whoami[ \t](?:-t|--show-token)|sa[ \t]get-token)|ibmcloud[ \t]iam[ \t]oauth-tokens|az[ \t][^\n]{0,200}?(?:keys?[ \t]list|list-keys|credential[ \t](?:show|reset)|create-for-rbac)[ \t][^\n]{0,200}?(?:--query|-o[ \t]?tsv)|aws[ \t][^\n]{0,200}?(?:get-authorization-token|generate-db-auth-token|--query[= \t]["']?[\w.[\]]{0,80}?(?:Secret|SecretAccessKey|SecretString|Token|Password|_KEY|_SECRET|_TOKEN|_PASSWORD)["']?(?=[ \t\n]|$)))/gi;

/** Programs that print the setting whose name they are given. */
const SETTINGS =
  /(?<![\w./-])(?:git[ \t]config|wp[ \t]config[ \t]get|aws[ \t]configure[ \t]get|(?:redis|valkey)-cli[ \t](?:[^\n|;&]{0,60}?[ \t])?get|snap[ \t]get|consul[ \t]kv[ \t]get|etcdctl[ \t](?:[^\n|;&]{0,60}?[ \t])?get|(?:railway|vercel|netlify|infisical|dotenvx|doppler)[ \t](?:[^\n|;&]{0,40}?[ \t])?get|doctl[ \t]auth|defaults[ \t]read|uci[ \t]get|wg[ \t]show|juju[ \t]show-secret|crudini[ \t]--get|kubectl[ \t]config[ \t]view|terragrunt[ \t]output|terraform[ \t]console|gcloud[ \t]config|(?:mongo|mongosh)[ \t][^\n]{0,80}?--eval)[ \t](?:[^\n|;&]{0,120}?[^\n|;&a-z])?(?:\w{0,30}[_.-])?(?:passw(?:or)?d|passphrase|smtp_?pass|secret|token|(?:api|access|private|preshared|auth|secret)[_.-]?keys?)["'\\\]})]{0,6}(?=[ \t\n"'<]|$)/gi;

/** Programs that print a variable or a member of what they read: `node -p process.env.API_TOKEN`. */
const PRINTED_IN_CODE =
  /(?<![\w./-])(?:node|bun|deno|python[\d.]{0,4}|ruby|php|perl|(?:bin\/)?rails|psql|mysql|mariadb|sqlite3)[ \t][^\n]{0,250}?(?:console\.log\(|print\(|puts[ \t(]|echo[ \t(]|-\w{0,2}p[ \t]["']?|stdout\.write\(|select[ \t])[^\n;]{0,120}?(?:passw(?:or)?d|passphrase|secret(?:_key(?:_base)?)?|token|(?:api|access|private|auth|secret)[_-]?key)\\?["'`\]]{0,3}(?:\(?\)|["'`;<]|\s|$)/gi;

/** Programs that cut the value of a variable out of a file. */
const CUT_OUT =
  /(?<![\w./-])(?:(?:grep|egrep|rg|ag)[ \t][^\n|]{0,100}?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|KEY)(?![A-Za-z\d])[^\n|]{0,100}\|[^\n]{0,60}?(?:cut[ \t]|awk[ \t]|sed[ \t])|grep[ \t](?:-\w{1,4}[ \t]){0,2}-\w{0,4}o\w{0,3}[ \t][^\n]{0,60}?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|KEY)(?![A-Za-z\d])|sed[ \t]-n\w{0,2}[ \t]\\?["'][^\n"']{0,40}?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|KEY)(?![A-Za-z\d])[^\n"']{0,40}?p|awk[ \t][^\n]{0,60}?(?:PASSWORD|PASSWD|PASS|SECRET|TOKEN|KEY)(?![A-Za-z\d])[^\n]{0,40}?print)/g;

/** Variables that PowerShell prints. */
const POWERSHELL =
  /\$env:\w{0,60}(?:PASS(?:WORD|WD)?|SECRET|TOKEN|KEY)(?![\w(])|\[(?:System\.)?Environment\]::GetEnvironmentVariable\(\\?["']\w{0,60}(?:PASS(?:WORD|WD)?|SECRET|TOKEN|KEY)\\?["']|(?:\([^\n]{0,100}|\$\w{1,40})\.(?:GetNetworkCredential\(\)\.Password)/g;

/** Programs that show a file of a user and a password, as `openvpn --auth-user-pass` reads it. */
const LOGIN_FILES =
  /(?<![\w./-])(?:cat|bat|less|more|head|tail|type|Get-Content)[ \t](?:-\S{1,10}[ \t])?(?:[^\s|;&]{0,100}?[/\\_.-])?(?:auth|login|creds?|user-?pass)[\w-]{0,20}\.(?:txt|conf|cfg|dat)(?![\w./-])/gi;

/** Commands that print a secret, and nothing else. */
export const ASKING_COMMANDS: readonly RegExp[] = [
  STORES_AND_SHELLS,
  TOOLS,
  SETTINGS,
  PRINTED_IN_CODE,
  CUT_OUT,
  LOGIN_FILES,
  POWERSHELL,
];
