import { AUTHORIZATION } from './authorization.ts';
import { CONFIGURED } from './configured.ts';
import type { Find, SecretPattern } from './find.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { isReference } from './placeholders.ts';
import { isAlgorithm } from './technical-terms.ts';
import { URL_SECRETS } from './urls.ts';
import { findBefore } from './values.ts';

/** Patterns for programs and files whose grammar marks a secret. */
const BY_GRAMMAR: readonly SecretPattern[] = Object.entries({
  cookie: [
    /(?<![\w-])(?:set-|HTTP_)?cookie["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=]|(?<=["']),(?=[ \t]{0,4}(?:b?["']|\[b?["'][\w.-]{1,80}=[^"'\r\n]{0,80}\d)))[ \t]{0,8}\[?b?["'`]?(?<secret>[\w.-]{1,80}=[^\r\n"'`]{4,})/gi,
    /(?<![\w-])cookies["'`]?[ \t]{0,4}[:=][ \t]{0,4}["'`](?<secret>[\w.-]{1,80}=[^\r\n"'`]{8,})/gi,
    // A list of them, as Node shows headers, and one as libraries of Python show it.
    /(?<![\w-])set-cookie["']?[ \t]{0,4}:[ \t]{0,4}\[\s{0,40}(?:"[^"\n]{1,2000}",\s{0,40}|'[^'\n]{1,2000}',\s{0,40}){0,8}["'](?<secret>[\w.-]{1,80}=[^\r\n"'`]{4,})/gi,
    /<Cookie (?<secret>[\w.-]{1,80}=[^\s"'<>]{6,}) for /g,
    // But for the name of an entry of a directory: `ldapsearch -b dc=example,dc=org`.
    /[ \t](?:-b|--cookie)[ \t=]{1,4}["'](?<secret>(?!(?:dc|ou|cn|o|DC|OU|CN|O)=|\w{1,20}=[^\s"';=]{1,100},[ ]?(?:dc|ou|cn|o|DC|OU|CN|O)=)[\w.-]{1,80}=[^\r\n"']{4,})(?=["'\r\n]|$)/g,
    /[ \t](?:-b|--cookie)[ \t=]{1,4}(?<secret>(?!(?:dc|ou|cn|o|DC|OU|CN|O)=|\w{1,20}=[^\s"';=]{1,100},[ ]?(?:dc|ou|cn|o|DC|OU|CN|O)=)[\w.-]{1,80}=[^\s"']{6,})/g,
    // Sessions by the names that frameworks give them.
    /(?<![\w-])(?:PHPSESSID|JSESSIONID|ASPSESSIONID\w{0,20}|ASP\.NET_SessionId|\.AspNetCore\.\w{1,40}|connect\.sid|sessionid|csrftoken|XSRF-TOKEN|laravel_session|_\w{1,40}_session|wordpress_(?:logged_in|sec)_\w{1,40}|__(?:Secure|Host)-[\w.-]{1,60})["']?(?:[=:]|\][ \t]{0,2}=>(?:\s{1,40}string\(\d{1,5}\))?)[ \t]{0,2}["']?(?<secret>[^\s"'`;,<>]{8,})/g,
    // The number of a session that a program sets: of other values, those that look random are found beside the word.
    /[Cc]ookies?(?:\.(?:set|put|add|append|create|serialize))?\(\s{0,40}(?:["'][^"'\n]{1,100}["'],\s{0,40}){1,2}["'`](?<secret>[\dA-Fa-f]{16,128}|[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?=[a-z]{0,20}\d[a-z]{1,20}\d)[a-z\d]{24,64})(?=["'`])/g,
    /[Cc]ookies?\[["'][^"'\]\n]{1,100}["']\][ \t]{0,4}=[ \t]{0,4}["'](?<secret>[\dA-Fa-f]{16,128}|[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?=[a-z]{0,20}\d[a-z]{1,20}\d)[a-z\d]{24,64})(?=["'`])/g,
    /[Cc]ookies?["']?[ \t]{0,4}[:=]?[ \t]{0,4}[([]{0,2}\s{0,40}\{[^{}]{0,200}(?<![\w-])[Vv]alue["']?[ \t]{0,4}[:=][ \t]{0,4}["'](?<secret>[\dA-Fa-f]{16,128}|[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?=[a-z]{0,20}\d[a-z]{1,20}\d)[a-z\d]{24,64})(?=["'`])/g,
    /(?<![\w-])name["']?[ \t]{0,4}:[ \t]{0,4}["'][^"'\n]{1,100}["'],\s{0,40}["']?value["']?[ \t]{0,4}:[ \t]{0,4}["'](?<secret>[\dA-Fa-f]{16,128}|[\dA-Fa-f]{8}(?:-[\dA-Fa-f]{4}){3}-[\dA-Fa-f]{12}|(?=[a-z]{0,20}\d[a-z]{1,20}\d)[a-z\d]{24,64})["'],\s{0,40}["']?(?:domain["']?[ \t]{0,4}:|path["']?[ \t]{0,4}:[ \t]{0,4}["']\/["'])/g,
    // A file of cookies, and one of them as an object.
    /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,100}\t(?<secret>[^\s]{6,})/g,
    /(?<![\w-])value["']?[ \t]{0,4}:[ \t]{0,4}["'](?<secret>[^"'\s]{8,})["'][^{}]{0,250}(?<![\w-])(?:httpOnly|sameSite)["']?[ \t]{0,4}:/g,
    /(?<![\w-])(?:httpOnly|sameSite)["']?[ \t]{0,4}:[^{}]{0,250}(?<![\w-])value["']?[ \t]{0,4}:[ \t]{0,4}["'](?<secret>[^"'\s]{8,})["']/g,
    /"cookies"[ \t]{0,4}:\s{0,40}\[\s{0,40}\{[^{}]{0,200}"value"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^"\s]{8,})(?=["'\r\n]|$)/g,
  ],
  'command-password': [
    // A job of GitHub or Azure hides a value.
    /::add-mask::["'`]?(?<secret>[^\s"'`$%<{][^\s"'`]{3,})/g,
    /;issecret=true[;\w=]{0,60}\](?<secret>[^\s"'`$%<{][^\s"'`]{3,})/gi,
    // A script for `expect`, on one line or two, or for a browser.
    /(?:ssword|ssphrase|sscode|PIN)[^\n"'{}]{0,20}["'})\]/]{0,4}[\s{;,:]{0,20}(?:await )?(?:[\w.()]{0,40}\.)?(?:[Ss]end(?:[Ll]ine|_keys|Keys)?|write|type|fill|pressSequentially)(?:[ \t]{1,4}(?:-[\w-]{0,6}[ \t]{1,4}){0,2}|\()b?["'](?<secret>[^"'\s\\]{4,200})/g,
    // What a test types into a field, `user.type(screen.getByLabelText(/password/i), 'value')`.
    /(?:get|find|query)By\w{1,20}\([^\n"'()]{0,4}["'/]?[^\n"'()]{0,40}(?:ssword|ssphrase|sscode|PIN)[^\n"'()]{0,20}["'/]i?\),[ \t]{0,4}(?:\{ ?target: ?\{ ?value: ?)?["'](?<secret>[^"'\s\\]{4,200})["']/g,
    /(?<=\s)(?:-[A-Za-z]{0,4}[uU]|--user|--proxy-user)[ \t=]{0,4}["'`]?\w[\w.@+-]{0,63}[:%]["'`*]{0,3}(?<secret>(?![\d:]{1,40}(?:[\s/"']|$)|:[A-Za-z]\w{0,40}(?:::\w{1,40}){0,8}(?![^\s"'`;,)]))[^\s"'`/]{3,})/g,
    /(?<![\w-])-?pass(?:in|out|word)?[ \t]{1,4}["']?pass:(?<secret>[^\s"'`]{4,})/g,
    // A here document. A program that asks for a password takes the first line, others a line that is alone.
    /(?<![\w./])(?:sudo[ \t]{1,4}-\w{0,4}S|[a-z]{0,6}passwd|kinit|cryptsetup)(?![\w./])[^\n<]{0,100}<<-?[ \t]{0,4}["']?\w{1,20}["']?[^\n]{0,80}\n[ \t]{0,40}(?<secret>[^\s"'`$]{4,})(?=[ \t]{0,40}\r?$)/gm,
    /(?<!\w)(?:login|secrets?|env add|passphrase|stdin|with-token)(?![\w./])[^\n<]{0,100}<<-?[ \t]{0,4}["']?(?<end>\w{1,20})["']?[^\n]{0,80}\n[ \t]{0,40}(?<secret>[^\s"'`$]{4,})(?=[ \t]{0,40}\r?\n[ \t]{0,40}\k<end>)/g,
    /printf[ \t]{1,4}["'](?<=printf[ \t]{1,4}["'])[\w.]{0,60}(?:PASS|SECRET|TOKEN|KEY)\w{0,40}=%s[^"'\n]{0,40}["'][ \t]{1,4}["'`*]{0,3}(?<secret>[^\s"'`$]{4,})/gi,
    /(?<![\w-])openssl[ \t]{1,4}(?:enc|rsautl|pkcs\d{1,2}|cms|smime)[ \t](?:[^\n|;&]{0,200}?[ \t])?-[kK][ \t]{1,4}["'`*]{0,3}(?<secret>[^\s"'`-][^\s"'`]{3,})/g,
    /(?<![\w-])net(?:\.exe)?[ \t]{1,4}(?:use[ \t]{1,4}(?:\w:[ \t]{1,4})?\\\\\S{1,200}(?:[ \t]{1,4}\/user:\S{1,100})?|user[ \t]{1,4}\S{1,100})[ \t]{1,4}["'`*]{0,3}(?<secret>[^\s"'`/*][^\s"'`]{3,})/gi,
    /(?:jdbc:oracle:\w{1,10}:|(?<![\w-])(?:sqlplus|sqlldr|expdp?|impdp?|rman|conn(?:ect)?(?!(?:ect)?(?:ions?|ing|ed|ors?)[ \t]{1,4}[a-z])|userid|dsn|dblink)[^\n;|&/]{0,60}?)(?<=["'=(: \t])\w[\w.$#]{0,60}\/["'`*]{0,3}(?<secret>[^\s"'@/]{4,128})["']?@/gi,
    /(?<![\w-])(?:sqlplus|sqlldr|expdp|impdp)[ \t]{1,4}["']?\w[\w.]{0,60}\/(?<secret>[^\s"'@/]{4,})/g,
    // Rules of Redis, a registry, routers, and what programs of networks and of vaults show.
    /(?<![\w-])(?:setuser|user)[ \t]{1,4}["']?[\w.@-]{1,60}["']?[ \t](?:[^\n>]{0,100}[ \t])?["']?>(?<secret>(?=[^\s"']{0,200}[\d!#$%^&*~?@])[^\s"'`>]{6,})/gi,
    /(?:[Pp]ass(?:word|wd)?|PASS(?:WORD|WD)?|[Ss]ecret|SECRET|[Tt]oken|TOKEN|[Aa]pi_?[Kk]ey|(?:API|ACCESS|SECRET)_?KEY)(?:[ \t]{1,4}\/t[ \t]{1,4}REG_\w{1,12}[ \t]{1,4}\/d|[ \t]{1,20}REG_(?:EXPAND_)?SZ)[ \t]{1,20}["'`*]{0,3}(?<secret>[^\s"'`]{4,})/g,
    /(?<![\w-])(?:username[ \t]\S{1,60}[ \t](?:privilege[ \t]\d{1,2}[ \t])?|enable[ \t])(?:password|secret)[ \t](?:level[ \t]\d{1,2}[ \t])?\d[ \t](?<secret>\S{4,128})/gi,
    /(?<![\w-])(?:neighbor[ \t]\S{1,60}|isis|ppp[ \t](?:chap|pap[ \t]sent-username[ \t]\S{1,60}))[ \t]password[ \t](?:\d[ \t])?(?<secret>(?=[^\s\d]{0,100}\d)\S{4,128})/gi,
    /(?<![\w-])(?:authentication-key|message-digest-key)[ \t](?:\d{1,5}[ \t](?:md5|sha\d{0,3}|hmac-\S{1,12})[ \t])?(?:\d[ \t])?(?<secret>(?=[^\s\d]{0,100}\d)\S{4,128})/gi,
    // A user of SNMP, with two passphrases.
    /(?:createUser[ \t]\S{1,60}|snmp-server[ \t]user[ \t][^\n]{1,80}?[ \t]auth)[ \t](?:MD5|SHA(?:-?\d{3})?)[ \t]["']?(?<secret>[^\s"']{4,128})/gi,
    /(?:createUser[ \t]\S{1,60}|snmp-server[ \t]user[ \t][^\n]{1,80}?[ \t]auth)[ \t](?:MD5|SHA(?:-?\d{3})?)[ \t]["']?[^\s"']{4,128}["']?[ \t](?:priv[ \t])?(?:3?DES|AES)(?:[ \t-]?\d{3})?[ \t]["']?(?<secret>[^\s"']{4,128})/gi,
    /(?<![\w-])(?:snmp-server[ \t]community|r[ow]community6?)[ \t](?<secret>(?!public|private)\S{4,64})/gi,
    /(?<![\w-])Key Content[ \t]{1,20}:[ \t](?<secret>\S{8,64})/g,
    /(?:"SecureString",\s{0,40}"Value":\s{0,4}"|\tSecureString\t)(?<secret>[^\s"]{4,4096})/g,
    /"CONCEALED"[^{}]{0,200}?"value"\s{0,4}:\s{0,4}"(?<secret>[^\s"]{4,4096})/g,
    /vault\.azure\.net\/secrets\/[^{}]{0,250}"tags"\s{0,4}:\s{0,4}(?:null|\{\s{0,40}\}),\s{0,40}"value"\s{0,4}:\s{0,4}"(?<secret>[^\s"]{4,4096})/g,
    /s:\d{1,3}:"[\w.-]{0,40}(?:passw(?:or)?d|passphrase|secret|token|api_?key)";s:\d{1,4}:"(?<secret>(?=[^"]{0,200}[\d!#$%^&*~?@])[^\s"]{6,512})/gi,
    /(?:PWD|[Pp]assword)=\{(?<secret>(?=[^{}]{0,100}\d)(?=[^{}]{0,100}(?:[!#$%^&*~?@-]|[A-Z]))[^{}\s"']{6,128})\}(?=[;"'\s]|$)/g,
    /(?:Secret(?:Str|String|Bytes|Value)|cookieParser)\(b?["'](?<secret>(?=[^\s"']{0,200}\d)[^\s"'`]{6,256})["']/g,
    /(?<![\w-])secret_?id["']?[ \t]{0,30}[:= \t][ \t]{0,30}["']?(?<secret>[a-f\d]{8}(?:-[a-f\d]{4}){3}-[a-f\d]{12})/gi,
    /(?<![\w-])device_code["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<secret>(?=[\w-]{0,80}\d)[\w.-]{16,512})/g,
    /(?<![\w.-])(?:saml(?:response|request)|client_assertion)=(?<secret>(?=[^\s&"'<>]{0,80}\d)[\w%+/=.-]{16,})/gi,
    /assword[^\n]{0,60}:\r?\n[^\n\w]{0,20}(?:\r?\n[^\n\w]{0,20})?(?<secret>[a-f\d]{32})(?!\w)/g,
    /<auth-user-pass>\s{1,8}\S{1,100}\s{1,8}(?<secret>[^\s<]{4,256})\s{1,8}<\/auth/g,
    // A remote of rclone, as its file and `rclone config show` have it.
    /^[ \t]{0,12}account[ \t]{0,4}=[ \t]{0,4}\S{1,100}\r?\n[ \t]{0,12}key[ \t]{0,4}=[ \t]{0,4}(?<secret>(?=\D{0,100}\d)[\w+/-]{16,128}={0,2})/gm,
    /^[ \t]{0,12}key[ \t]{0,4}=[ \t]{0,4}(?<secret>(?=\D{0,100}\d)[\w+/-]{16,128}={0,2})[ \t]{0,8}\r?\n[ \t]{0,12}account[ \t]{0,4}=/gm,
    /(?<!\w)sp_(?:add|change_?)?(?:login|password)[ \t]{1,4}(?:@\w{1,20}[ \t]{0,4}=[ \t]{0,4})?N?'[^'\n]{1,100}'[ \t]{0,4},[ \t]{0,4}(?:@\w{1,20}[ \t]{0,4}=[ \t]{0,4})?N?'(?<secret>[^'\s]{4,128})'/gi,
    /(?<![\w-])userPassword::[ \t](?<secret>[\w+/]{6,}={0,2})/g,
    // `[mail.example.com]:587 bob:hunter2`, as Postfix has it. A log has levels in such brackets.
    /^[ \t]{0,8}\[(?:[\w.-]{1,100}\]:\d{1,5}|(?:[\w-]{1,60}\.){1,5}[A-Za-z]{2,12}\]|(?:\d{1,3}\.){3}\d{1,3}\])[ \t]{1,20}[\w.@+-]{1,100}:(?<secret>(?!\/\/|:)(?=[^\s"']{0,100}\d)[^\s"'`\]]{6,256})$/gm,
    /CURLOPT_(?:PROXY)?USERPWD["']?[ \t]{0,4}(?:,|=>)[ \t]{0,4}["'][^"':\n]{1,60}:(?<secret>[^\s"']{4,256})["']/g,
    /(?:new \\?PDO|getConnection)\([^()"'\n]{1,100},[^()"'\n]{1,60},\s{0,40}["'](?<secret>(?=\S{0,100}\d)[^\s"'`]{6,256})["']/g,
    // Users of Kafka, the key of Magento, a service of PagerDuty, and hashes without salt.
    /(?<=(?:required|["'])\s{1,8})user_(?!id|name|agent|role|type|mail|email|data|pref)\w{1,60}=\\?"(?<secret>(?=[^\s"]{0,100}\d)(?=[^\s"]{0,100}[a-z])[^\s"\\]{6,256})\\?"/g,
    /["']crypt["'][ \t]{0,4}=>[ \t]{0,4}(?:\[|array[ \t]?\()\s{0,40}["']key["'][ \t]{0,4}=>[ \t]{0,4}["'](?<secret>[^\s"']{8,256})["']/g,
    /routing_?key["']?[ \t]{0,4}(?:[:=]|=>)[ \t]{0,4}["']?(?<secret>[a-f\d]{32}|R(?=[A-Z]{0,30}\d)[A-Z\d]{31})(?!\w)/gi,
    /pass(?:word|wd)?_?(?:hash|digest|md5|sha\d{1,3})["']?[ \t]{0,4}(?:[:=]|=>)[ \t]{0,4}["']?(?<secret>[a-f\d]{32,128})(?!\w)/gi,
    /[A-Z]_PRIVATE[ \t]{0,4}[:=][ \t]{0,4}["']?(?<secret>[a-f\d]{32,64})(?!\w)/g,
    /create_(?:super)?user\(\s{0,40}["'][^"'\n]{1,100}["'],\s{0,40}["'][^"'\n]{0,100}["'],\s{0,40}["'](?<secret>(?=\S{0,100}\d)[^\s"'`]{6,256})["']/g,
    // A password that Terraform has made, in its state.
    /"bcrypt_hash"[ \t]{0,4}:[ \t]{0,4}"[^"\n]{0,100}",\s{0,40}(?:"(?!b)[a-z_]{2,20}"[ \t]{0,4}:[ \t]{0,4}(?:[a-z\d]{1,8}|"[^"\n]{0,100}"|\{[^{}]{0,200}\}),\s{0,40}){1,14}"result"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^"\s]{6,512})"/g,
    /successfully reset\.\s{1,8}New value:[ \t](?<secret>\S{6,256})/g,
    /(?<![\w-])Raw result:[ \t](?<secret>\S{6,4096})/g,
    /(?<![\w-])K 8\r?\npassword\r?\nV \d{1,3}\r?\n(?<secret>\S{4,256})/g,
    /(?<![\w-])(?:steamcmd[ \t][^\n|;&]{0,100}?\+login[ \t]\S{1,60}|rootpw(?:[ \t]--plaintext)?|doctl[ \t]auth[ \t]init[ \t][^\n|;&]{0,60}?(?:-t|--access-token)|\/oper[ \t]\S{1,60})[ \t]{1,4}["'`*]{0,3}(?<secret>(?=[^\s"']{0,200}\d)(?=[^\s"']{0,200}[A-Za-z])[^\s"'`$<.,:/=-][^\s"'`]{5,})(?=["'`\s]|$)/g,
    /(?<![\w-])runas[ \t][^\n|;&]{0,60}?\/user:\S{1,100}[ \t]{1,4}(?<secret>(?=[^\s"']{0,100}\d)(?![\w.-]{1,60}\.(?:exe|bat|cmd|ps1|msc))[^\s"'`\\/][^\s"'`\\/]{5,})(?![^\s"'`])/gi,
    // A login of FTP, as Wireshark shows it.
    /Request command: PASS\r?\n[ \t]{0,40}Request arg: (?<secret>\S{4,256})/g,
    // Programs for shares of Windows.
    /(?<![\w-])smbclient[ \t](?:[^\n|;&]{0,100}?[ \t])?-L[ \t]{0,2}\S{1,100}[ \t]{1,4}(?:-\w[ \t]{0,2}\S{1,60}[ \t]{1,4})?["'`*]{0,3}(?<secret>(?=[^\s"']{0,100}\d)[^\s"'`*|&;<>/-][^\s"'`]{3,})/g,
    /(?<![\w-])smbclient[ \t](?:[^\n|;&]{0,100}?[ \t])?["']?(?:\/\/|\\\\)\S{1,200}[ \t]{1,4}["'`*]{0,3}(?<secret>[^\s"'`*|&;<>-][^\s"'`]{3,})/g,
    /(?<![\w-])(?:impacket-\w{1,30}|(?:secretsdump|psexec|wmiexec|smbexec|dcomexec|atexec|mssqlclient|lookupsid|samrdump|smbclient|addcomputer|services|rpcdump|GetUserSPNs|GetNPUsers|GetADUsers|getTGT|getST|findDelegation|dacledit)(?:\.py)?)[ \t](?:[^\n|;&]{0,200}?[ \t])?["']?(?:[\w.-]{1,60}\/)?(?!\d{1,2}:)\w[\w.$-]{0,60}:["'`*]{0,3}(?<secret>[^\s"'`:@/\\-][^\s"'`]{3,200}?)(?=@[\w.-]{1,100}(?![^\s"'`])|["'`\s]|$)/g,
    // A source of Go.
    /@(?:tcp|unix)\((?<=(?<!\w)\w[\w.-]{0,60}:(?<secret>(?!\/\/)[^\s"'`@]{3,128})@(?:tcp|unix)\()/dg,
    /(?<=> |^)AUTH[ \t]{1,4}(?:\w{1,60}[ \t]{1,4})?["'`*]{0,3}(?<secret>(?=[^\s"']{0,200}\d)[^\s"'`]{6,})["']?$/gm,
    /(?:keyvault secret set|put-parameter|put-secret-value|create-secret|secrets? put|kv put|secrets? set|secrets?:create|env:create|variables? set|config:(?:set|add)|settings set|config set --secret|env set)[ \t](?:(?:[^\n|;&]|(?<=\\)\n){0,200}?[ \t])?(?:--value|--secret-string|--body|-b(?![a-z]{3})|\w{1,40}(?==))[ \t=]{0,4}["'`*]{0,3}(?<secret>[^\s"'`$-][^\s"'`]{3,})/g,
    /--from-literal[ \t=]{1,4}["']?[\w.-]{1,80}=["'`*]{0,3}(?<secret>[^\s"'`$][^\s"'`]{3,})/g,
    /ConvertTo-SecureString(?:[ \t]{1,4}-(?:String|AsPlainText|Force)){0,3}[ \t]{1,4}(?:["']|(?<=-String[ \t]{1,4}))(?<secret>[^\s"'$(-][^\s"'$]{3,})(?=["'\s]|$)/gi,
    // Elasticsearch, when it starts for the first time.
    /assword for the [^\n]{1,160}:\r?\n[ \t]{1,8}(?<secret>(?=\S{0,100}\d)[\w*=+-]{12,40})[ \t\r]{0,8}$/gm,
    /assword for [^\n]{1,100}: ["'`*]{0,3}(?<secret>(?=[^\s"']{0,100}\d)(?=[^\s"']{0,100}[A-Za-z])[^\s"'`]{6,})["']?$/gm,
    /(?:Credentials?|[Ll]ogin|[Aa]uthenticate|(?<![A-Za-z])[Aa]uth(?:[ \t]{0,4}=[ \t]{0,4})?|[Bb]asic_?[Aa]uth|getConnection|[Cc]onnect|mysqli|PDO(?:->__construct)?|Sequelize|(?:ldap_|simple_)bind(?:_s)?|imap_open|yagmail\.SMTP|UserPassword|[Pp]assword\w{0,20})\([^()"']{0,100}["'][^"'\n]{1,100}["'],\s{0,40}(?:(?:["'][^"'\n]{1,100}["']|\d{1,5}),\s{0,40}){0,3}(?<quote>["'])(?<secret>(?:[A-Za-z\d]{4} ){3,5}[A-Za-z\d]{4}(?=["'])|(?=\S{0,100}\d)(?:(?!\k<quote>)[^\s`]){6,256})(?=["'\r\n]|$)/g,
    /(?:createHmac|(?<![A-Za-z])(?:jwt|JWT)\.(?:sign|verify|encode|decode)|[Hh]mac(?:\.new)?|HMAC\w{0,10}|pbkdf2\w{0,8}|crypt)\((?:\{[^{}\n]{0,200}\}(?=,))?[^()\n"']{0,100}(?:["'][^"'\n]{1,100}["'],[ \t]{0,4}){0,2}b?(?<quote>["'`])(?<secret>(?=\S{0,100}\d)(?:(?!\k<quote>)[^\s`]){8,256})(?=["'`\r\n]|$)/g,
    // A password that a program hashes, and that of a network that a device joins.
    /(?:bcrypt(?:js)?\.(?:hash|compare|hashpw|checkpw|GenerateFromPassword)(?:Sync)?|BCrypt(?:::Password\.create|\.\w{1,20})|(?:generate|check)_password_hash|make_password|password_(?:hash|verify)|Hash::(?:make|check)|argon2(?:id)?\.(?:hash|verify)|scrypt(?:Sync)?|(?:hash|encrypt|encode|verify)Password|(?:hash|encrypt|verify)_password)\((?:[\w.]{1,40},[ \t]{0,4})?(?:\[\]byte\()?b?["'](?<secret>(?=[^\s"']{0,100}[\d!#$%^&*~?@])(?=[^\s"']{0,100}[A-Za-z])(?![$%{<])[^\s"'`]{6,128})["']/g,
    /(?:WiFi\.(?:begin|softAP)|\.addAP)\(["'][^"'\n]{1,64}["'],[ \t]{0,4}["'](?<secret>(?=[^"'\n]{0,62}[\d!#$%^&*~?@])[^"'\n]{8,63})["']/g,
    // The answer to a question of Claude Code.
    /(?:[Pp]assword|[Pp]assphrase|[Ss]ecret|[Tt]oken|(?:API|api|[Aa]ccess)[ _-]?[Kk]ey)[^"\n]{0,100}\?\\?"=\\?"(?<secret>(?=[^\s"]{0,100}[\d!#$%^&*~?@])[^\s"\\]{6,512})\\?"/g,
    /value=["'](?<secret>[^"'<>\s]{4,})["'][^<>]{0,200}type=["']?password/gi,
    /type=["']?password["']?[^<>]{0,200}?\svalue=["'](?<secret>[^"'<>\s]{4,})["']/gi,
    /[?&]key=(?<secret>(?=[\w-]{0,100}\d)[\w-]{16,})/g,
    /[ \t](?:\/p:|\/rp[ \t]{1,4}|-p:)(?!["']?[A-Za-z_.]{1,60}=)["'`*]{0,3}(?<secret>(?=[^\s"']{0,100}\d)[^\s"'`]{6,})/g,
    // A property of Java whose value is a token rather than a user.
    /(?<![\w-])-[DP][\w.-]{0,80}login=["'`*]{0,3}(?<secret>(?=[^\s"']{0,100}\d)[\w-]{20,})/gi,
    // Programs to which a secret is given by its place.
    /(?<![\w-])(?:(?:vault|cargo)[ \t]login|npm[ \t]config[ \t]set[ \t]\S{1,100}(?:_authToken|_password|_auth)|(?:poetry|composer)[ \t]config[ \t](?:pypi-token\.\S{1,60}|http-basic\.\S{1,60}[ \t]\S{1,60})|bundle[ \t]config[ \t](?:set[ \t](?:--\w{1,10}[ \t])?)?\S{1,100}[ \t]\w[\w@.-]{0,60}:|glab[ \t]variable[ \t]set[ \t]\w{1,100}|env:set[ \t]\w{1,100}|wpa_passphrase[ \t]\S{1,60}|mc[ \t]alias[ \t]set[ \t]\S{1,60}[ \t]\S{1,200}[ \t]\S{1,60}|nuget[ \t]push[ \t][^\n|;&]{0,100}?-k|gem[ \t]push[ \t][^\n|;&]{0,100}?--key|snmp\w{1,10}[ \t][^\n|;&]{0,100}?-c|qpdf[ \t][^\n|;&]{0,100}?--encrypt|signtool[ \t][^\n|;&]{0,100}?\/p)[ \t]{0,4}["'`*]{0,3}(?<secret>(?=[^\s"']{0,200}\d)[^\s"'`$<-][^\s"'`]{5,})/g,
    /(?<![\w-])(?:htpasswd[ \t]{1,4}-\w{0,6}n\w{0,6}[ \t]{1,4}\S{1,100}|openssl[ \t]passwd[ \t](?:-salt[ \t]\S{1,40}[ \t]|-\w{1,10}[ \t]){0,3}|mkpasswd[ \t](?:--?[\w-]{1,20}[= \t](?:[\w-]{1,20}[ \t])?){0,3})[ \t]{0,4}["'`*]{0,3}(?<secret>(?=[^\s"']{0,200}\d)[^\s"'`$<-][^\s"'`]{5,})/g,
    // Logs of FTP and mail, and a chat.
    /(?<!\w)USER[ \t]\S{1,100}\r?\n(?:[^\n]{0,200}\n)?[^\n]{0,20}(?<!\w)PASS[ \t](?<secret>(?![^\s/]{0,250}\/\S{0,250}\.[a-z]{1,4}(?!\S))[^\s"'`/][^\s"'`]{3,}(?!\S))/g,
    /NickServ[ \t]{1,4}IDENTIFY[ \t]{1,4}(?:\S{1,60}[ \t]{1,4})?["'`*]{0,3}(?<secret>(?=[^\s"']{0,200}\d)[^\s"'`]{6,})/gi,
    // Talk with servers of mail and files, in base64 and as it is.
    /334[ \t]UGFzc3dvcmQ6?={0,2}\r?\n[^\n]{0,8}?(?<secret>[A-Za-z\d+/]{4,}={0,2})(?![\w+/])/g,
    /(?<!\S)(?:[A-Za-z]{1,4}\d{1,6}|[A-Za-z]|tag)[ \t]LOGIN[ \t]["']?[\w.@+-]{0,63}[\w@+-]["']?[ \t]["'`*]{0,3}(?<secret>[^\s"']{4,})/g,
    /(?<!\w)PASS[ \t]{1,2}["'`*]{0,3}(?<secret>(?![^\s/]{0,250}\/\S{0,250}\.[a-z]{1,4}(?!\S))[^\s"'`/][^\s"'`]{3,})["'`*]{0,3}[ \t]{0,2}\r?\n[^\n]{0,8}(?:230|235|331|530|\+OK|-ERR)/g,
    /(?<![\w-])PASS(?:(?:\[\w{1,40}\])?=|[ \t]{1,4}<<<[ \t]{0,4})["'`*]{0,3}(?<secret>[^\s"'`$()][^\s"'`()]{3,})/g,
    // A header that a program puts together, and a token of K3s.
    /(?:btoa|b64encode|base64_encode|encodeToString|EncodeToString|Buffer\.from)\(b?(?<quote>["'`])\w[\w.@-]{0,60}:(?<secret>(?:[A-Za-z\d]{4} ){3,5}[A-Za-z\d]{4}(?=["'])|(?=\S{0,200}\d)(?:(?!\k<quote>)[^\s`]){6,256})(?=["'`])/g,
    /K10[a-f0-9]{64}::\w{1,40}:(?<secret>[^\s"'`<>,;)\]}\\]{8,})/g,
  ],
  password: [
    // The words that a wallet can be made of again (BIP 39).
    /(?:mnemonic|(?:seed|recovery|backup)[ _-]?(?:recovery[ _-]?)?(?:phrase|words))[^\n:="'()[\]{}]{0,40}(?:[ \t]\([^()\n]{1,30}\))?["'`*]{0,3}(?:[ \t]{0,4}(?::=|=>|[:=(])|[ \t](?:is|are|was))[\s"'`*[(]{0,8}(?:1[.):][ \t])?(?<secret>[a-z]{3,8}(?:(?:[,\s]{1,8}|["'][,\s]{1,10}["'])(?:\d{1,2}[.):][ \t])?[a-z]{3,8}){11,23})(?![a-z])/gi,
    /(?<!\w)login\s{1,4}\S{1,200}\s{1,8}(?:account\s{1,4}\S{1,200}\s{1,8})?password\s{1,4}(?<secret>[^\s"'`<]{4,})/g,
    /(?:IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\S{1,80}[ \t]{1,4})?BY|PASSWORD)[ \t(]{1,4}N?(?:'{1,2}|\$\$)(?<secret>(?:[^'\s$]|''(?=[^\s'",;)])|\$(?!\$)){4,256})(?=["'$\r\n]|$)/gi,
    /SET[ \t]{1,4}PASSWORD[ \t]{1,4}FOR[ \t]{1,4}[^\n=;]{1,120}=[ \t]{0,4}(?:PASSWORD\()?["'](?<secret>[^\s"']{4,256})/gi,
    /IDENTIFIED[ \t]{1,4}BY[ \t]{1,4}"(?<secret>[^"\s]{4,256})(?=["'\r\n]|$)/gi,
    /(?:create|alter)[ \t]{1,4}(?:user|role|(?:public[ \t]{1,4})?database[ \t]{1,4}link)[^\n;]{0,120}?identified[ \t]{1,4}by[ \t]{1,4}(?<secret>[^'"\s;$<][^'"\s;<]{3,255})/gi,
    /^[ \t>+*`-]{0,8}(?:\d{1,3}[.)][ \t])?(?:[\w./-]{1,100}-\d{1,6}-)?[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:(?<secret>[^\s:`]{4,256})`?$/gm,
  ],
}).flatMap(([rule, patterns]) => patterns.map((pattern) => ({ rule, pattern })));

export const PLACED: readonly SecretPattern[] = [
  ...AUTHORIZATION,
  ...URL_SECRETS,
  ...CONFIGURED,
  ...BY_GRAMMAR,
];

/** Placeholders that documents show instead of a password. */
const EXAMPLE =
  /^(?:(?:password|passwd|pass|pwd|pw|secret|token|x{3,}|\.{3}|user(?:name)?|redacted|changeme|your\S*|x-oauth-basic|my[-_]?pass\S*)$)/i;
const OPENS = /^[$<{[%*]/;

function isExample(value: string): boolean {
  return OPENS.test(value) ? isReference(value, true) : EXAMPLE.test(value);
}

const marked = new Marked(PLACED, ({ pattern }) => toPatternKey(pattern));

/** Secrets by headers, or as arguments of programs. */
export function* findPlaced(text: string, sighted: Sighted): Generator<Find> {
  for (const { rule, pattern, isSecret } of marked.choose(sighted)) {
    for (const { 0: match, index, groups, indices } of findMatches(text, pattern)) {
      const whole = (groups?.['secret'] ?? '').replace(/\*{2}$/, '');
      const value = isSecret ? findBefore(whole, isSecret) : whole;
      if (value === undefined || value === '') continue;
      if (!isSecret && isExample(value)) continue;
      if (isAlgorithm(value)) continue;
      const [start] = indices?.groups?.['secret'] ?? [index + match.lastIndexOf(value)];
      yield { rule, start, end: start + value.length };
    }
  }
}
