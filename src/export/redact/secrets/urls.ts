import type { SecretPattern } from './find.ts';
import { isLikeSecret } from './values.ts';

/** Passwords, tokens and codes in the parts of addresses. */
const IN_URLS: Readonly<Record<string, readonly RegExp[]>> = {
  // A code that an identity provider returns to a page, and that a program exchanges for a token.
  'oauth-code': [
    /[?&](?:code|auth_code|authorization_code)=(?<secret>(?=[^\s&"'<>]{0,80}\d)[\w.~%/+-]{16,512})/g,
  ],
  'url-password': [
    /(?<=[A-Za-z\d]):\/\/[^\s/?#@"'`<>:]{0,100}:(?!\d{1,5}[?#])(?<secret>(?:[^\s/"'`<>]|(?<=[^\s"'`<>,=])'(?=\w)){1,2048})@/g,
    // A URL that was cut off within the password. A port has digits only; an image has a tag there.
    /(?<=[A-Za-z\d])(?<!docker|oci|image|daemon):\/\/[^\s/?#@"'`<>:]{0,100}:(?<secret>(?=[^\s]{0,100}\d)(?=[^\s]{0,100}[A-Za-z])[\w!#%^&*+~.=-][\w!#$%^&*+~.=-]{5,255})$/gm,
    // A password with the sign of a path in it, as base64 has.
    /(?<=[A-Za-z\d]):\/\/[^\s/?#@"'`<>:]{0,100}:(?!\d{1,5}\/(?![\w+/]{8,250}={1,2}@))(?<secret>(?=[^\sA-Z@]{0,250}[A-Z])(?=[^\sa-z@]{0,250}[a-z])[\w+/]{16,250}={0,2})@(?=[\w[])/g,
    // Proxies take a secret instead of a user, or one in base64.
    /(?<![\w-])(?:vless|trojan(?:-go)?|hysteria2?|hy2|tuic|ssr?|snell|anytls|juicity|shadowtls|brook|mieru)(?:\+\w{1,8})?:\/\/(?<secret>[^\s@/?#"'`<>]{4,256})@/gi,
    /(?<![\w-])(?:vmess|vless|ssr?|tuic|trojan):\/\/(?<secret>[\w+/-]{16,4096}={0,2})/gi,
    // A token instead of a user, which GitHub and others take with any password. A short one has digits within.
    /https?:\/\/(?<secret>[A-Za-z0-9_-]{20,200})(?::(?:x|x-oauth-basic|api_token)?)?@/gi,
    // A user, a password and a host without a scheme. Behind any other word than the name of a user that every
    // system has, there may be an address of mail, so the password must not look like a name with a number.
    /@(?<=(?<![\w.:/@%+-])(?:admin|administrator|root|postgres|mysql|mariadb|mongo|redis|rabbitmq|elastic|oracle|sa|sys|app|api|web|svc|deploy|deployer|ubuntu|debian|centos|ec2-user|vagrant|ansible|jenkins|backup|guest|ftp|anonymous|ftpuser|db_?user|dbadmin|db_owner|ldap|smtp|pi):(?<secret>(?=[^\s@]{0,128}[\d!#$%^&*~?=])[^\s:/@"'`<>()[\]{},;|\\]{4,128})@)(?=(?:[A-Za-z][\w-]{0,62}(?:\.[A-Za-z\d][\w-]{0,62}){0,6}|\d{1,3}(?:\.\d{1,3}){3})(?!\.?[\w@-]))(?!sha\d|latest|next|beta|alpha|canary)/dgi,
    /@(?<=(?<![\w.:/@%+-])(?!(?:npm|jsr|workspace|file|link|patch|portal|git|github|gitlab|mailto|e-?mails?|mail|to|from|cc|bcc|author|contact|sips?|xmpp|acct|pkg|docker|image|node|urn|https?|refs?|tag|uses|serviceaccount|group|principal|member):)[A-Za-z_][\w.-]{0,63}:(?<secret>(?=[^\s@]{0,128}[A-Za-z])(?=[^\s@]{0,128}\d)(?:(?=[^\s@]{0,128}[!#$%^&*~?=])|(?=[^A-Z@]{0,128}[A-Z])(?=[^a-z@]{0,128}[a-z])(?=[^\d@]{0,128}\d[^A-Za-z@]{0,128}[A-Za-z]))[^\s:/@"'`<>()[\]{},;|\\]{6,128})@)(?!(?:gmail|googlemail|outlook|hotmail|yahoo|icloud)\.com|[\w.-]{1,80}\.gserviceaccount\.com)(?=(?:[A-Za-z][\w-]{0,62}(?:\.[A-Za-z\d][\w-]{0,62}){0,6}|\d{1,3}(?:\.\d{1,3}){3})(?!\.?[\w@-]))(?!sha\d|latest|next|beta|alpha|canary)/dgi,
  ],
  'url-parameter': [
    // A password behind a user.
    /[?&](?:u|user(?:_?name)?|login|e?mail|name|usr)=[^\s&"'<>]{1,100}&(?:p|ps|pw)=(?<secret>[^\s&"'<>]{4,250})/gi,
    // One with a dot, which looks like a member in a program: in an address there are none.
    /[?&][\w.-]{0,40}(?:token|secret|pass(?:word|wd)?|pwd|api_?key|auth)=(?<secret>(?=[\w.]{0,80}\d)[A-Za-z]\w{0,60}(?:\.[A-Za-z]\w{0,60}){1,3})(?![\w.([])/gi,
    /[?&](?:x-\w{1,10}-)?(?:sign?|signature|hmac)=(?<secret>(?=[^\s&"'<>]{0,80}\d)[\w%+/=.-]{6,})/gi,
    // Short ones look random: digits before and behind letters, or letters of both kinds behind a digit.
    /[?&](?:key|code|k|otp|pin|ticket|appid|hash|ak|sk)=(?<secret>(?=[A-Za-z_-]{0,15}\d{1,15}[A-Za-z])(?:(?=[^A-Z\s&]{0,15}[A-Z])(?=[^a-z\s&]{0,15}[a-z])|(?=[A-Za-z_-]{0,15}\d{1,15}[A-Za-z]{1,15}\d))[\w-]{8,}(?:[+/][\w+/-]{1,250}={0,2})?)/g,
    /[?&;](?:sid|sess|session_?(?:id|key)?|jsessionid|phpsessid|ticket|otp|jwt|assertion|samlresponse|samlrequest|appid|magic|invite)=(?<secret>(?![a-f\d]{8}-[a-f\d]{4}-)(?=[^\s&"'<>]{0,80}\d)[\w%+/=.-]{16,})/gi,
  ],
};

/** Parts of addresses that are secret if they look like it. */
const LIKELY: Readonly<Record<string, readonly RegExp[]>> = {
  // A token instead of a user, with any password or none.
  'url-password': [
    /(?<=[A-Za-z\d]):\/\/(?<secret>[^\s/?#@"'`<>:]{8,256})(?::[^\s@/"'`<>]{0,20})?@/g,
    /(?<=[A-Za-z\d]):\/\/(?<secret>[\w+/]{16,250}={0,2})@(?=[\w[])/g,
    // A user, a password with the sign of a path in it, as base64 has, and a host, without a scheme.
    /@(?<=(?<![\w.:/@%+-])(?!(?:npm|jsr|workspace|file|link|patch|portal|git|github|gitlab|pkg|docker|image|node|urn|https?|refs?|tag|uses):)[A-Za-z_][\w.-]{0,63}:(?<secret>(?!\d{1,5}\/|\/)[\w+/]{16,128}={0,2})@)(?=(?:[A-Za-z][\w-]{0,62}(?:\.[A-Za-z\d][\w-]{0,62}){0,6}|\d{1,3}(?:\.\d{1,3}){3})(?!\.?[\w@-]))(?!sha\d|latest|next|beta|alpha|canary)/dgi,
  ],
  // Below the word for it: `/reset/token/value`.
  'url-token': [
    /\/(?:token|secret|password|passwd|reset(?:-password)?|password-reset|magic(?:-link)?|api_?key)s?\/(?<secret>[\w~+=-]{8,256})(?![\w/]|\.\w)/gi,
  ],
};

/** Patterns of secrets in addresses. */
export const URL_SECRETS: readonly SecretPattern[] = [
  ...toPatterns(IN_URLS),
  ...toPatterns(LIKELY).map((pattern) => ({ ...pattern, isSecret: isLikeSecret })),
];

function toPatterns(all: Readonly<Record<string, readonly RegExp[]>>): readonly SecretPattern[] {
  return Object.entries(all).flatMap(([rule, patterns]) =>
    patterns.map((pattern) => ({ rule, pattern })),
  );
}
