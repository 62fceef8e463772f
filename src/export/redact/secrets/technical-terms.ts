/**
 * Names of protocols, curves, hashes, encodings and programs that have numbers among their letters, by themselves or as
 * words of a longer name: `OAuth2`, `secp256k1`, `initI18nKeys`, `cl100k_base`.
 */
const TERM =
  /(?:(?<![A-Za-z\d])|(?<=[a-z])(?=[A-Z]))(?:[Ss]ig[Vv]4|[Jj]wtV\d|[Oo][Aa]uth[12]|OAUTH[12]|OpenID[12]|SAML[12]|Saml2|[KkEe](?:8[Ss]|2[Ee])|[IiLl]1[08][Nn]|[Aa]11[Yy]|[BbPpCcSs]2[BbCcPpSs]|[Jj]2(?:EE|SE|ME)|[Ll]og4[Jj]2?|[Ss][Ll][Ff]4[Jj]|[Nn]eo4[Jj]|[Ll]2[Tt][Pp]|P2(?:SH|PKH?|WPKH|WSH|TR)|[Xx]509(?:v3)?|(?:[Cc]urve|[Ee]d|[Xx])(?:25519|448)|sec[pt]\d{3}[rk][12]|(?:prime|brainpoolP)\d{3}[rtv][123]|PKCS\d{1,2}(?:v\d{1,2})?|[Cc]ha[Cc]ha20(?:[Pp]oly1305)?|[Pp]oly1305|(?:MD5|SHA\d{1,3})with(?:RSA|ECDSA|DSA)|MD5|[HRPE]S(?:256|384|512)K?|A(?:128|192|256)(?:CBC|GCM|CTR|KW)|SHA\d{1,3}|Sha\d{1,3}|IMAP4(?:rev[12])?|POP3|[Bb](?:ase|ASE)(?:16|32|58|64|85)|U(?:TF|tf)(?:8|16|32)|IPv[46]|H(?:TTP|ttp)[123]|RSA\d{4}|AES\d{3}|(?:ERC|EIP|BIP|RFC|ISO)\d{2,5}|PBKDF2|Pbkdf2|FIDO2|U2F|S3|EC2|[fiu](?:8|16|32|64)x(?:2|4|8|16)|(?:cl100|[opr]\d{2,3})k(?:_(?:base|edit|harmony))?)(?![a-z\d])|(?<=[a-z]{3})[1-4]D(?![a-z\d])|(?<=[a-z]{3}|[A-Z]{3})[Vv]\d{1,2}(?![a-z\d])|(?<![A-Za-z\d])[Vv]\d{1,2}(?=[_.-]|[A-Z][a-z]{3})/g;
/** A product and its version: `MySQL8.0`. */
const PRODUCT = /^[A-Za-z]{3,20}\d{1,2}(?:\.\d{1,3}){1,2}$/;

/** An algorithm of keys, of hashes or of a login, as programs name it: `ssh-ed25519`, `SHA512/256`, `MSCHAPV2`. */
const ALGORITHM =
  /^(?:(?:sk-)?(?:ssh-(?:ed25519|ed448|rsa|dss)|ecdsa-sha2-nistp\d{3}|rsa-sha2-\d{3})(?:-cert-v\d\d)?(?:@openssh\.com)?|(?:ed|x|curve)(?:25519|448)|(?:hmac[-_]?|scram-|rsa-)?(?:sha[-_]?(?:[0-3]|224|256|384|512)(?:[-_/]?(?:224|256|384|512))?|md[-_]?[2456]|blake[-_]?[23][a-z]{0,2}(?:[-_]?(?:128|160|224|256|384|512))?|ripemd[-_]?(?:128|160|256|320))|(?:eap-)?ms-?chap-?v2|(?:aes|camellia|aria)[-_]?(?:128|192|256)(?:[-_](?:gcm|cbc|ctr|ccm|ecb|cfb|ofb|siv|xts|kw)){0,2}|a(?:128|192|256)(?:gcm|cbc|kw|ctr)(?:-hs\d{3})?|x?chacha20[-_]?poly1305|(?:rsa|ecdsa|dsa|dh)[-_]?(?:oaep-)?\d{3,4}|[rhpe]s(?:256|384|512)|\d{2,4}[- ]?bits?)$/i;

/** Returns whether a word is the name of an algorithm, and nothing else. */
export function isAlgorithm(word: string): boolean {
  return ALGORITHM.test(word);
}

/** A longer name has enough other letters. */
const MAX_LENGTH = 20;

/** A word without the terms in it, which are no sign of random letters. */
export function removeTerms(word: string): string {
  if (word.length > MAX_LENGTH) return word;
  return PRODUCT.test(word) ? '' : word.replace(TERM, '');
}
