// @ts-check

/**
 * Pieces that, repeated, give whoever looks for secrets the most to do: a key begins everywhere and
 * ends nowhere, a name is followed by a name, what is found overlaps what is found next. By what
 * they are for. `#` becomes the number of the repetition.
 * @type {Readonly<Record<string, string>>}
 */
export const HOSTILE_PIECES = {
  'one letter': 'a',
  'one digit': '0',
  spaces: ' ',
  'line feeds': '\n',
  dashes: '-',
  backslashes: '\\',
  'escapes of escapes': '\\\\\\\\u005cu0041',
  percents: '%25',
  entities: '&amp;amp;',
  colours: '\u001B[31m',
  'unended sequences': '\u001B]8;;',
  'invisible characters': 'a\u200B',
  'halves of characters': '\uD800',
  'broken lines': 'aaaaaaaa1\n',
  names: 'token=',
  'names, each another': 'db#_token=',
  'names on removed lines': '-db#_token=\n',
  'names with escapes on removed lines': '-db#_token=%41\n',
  'names and values': 'PASSWORD=hunter#x ',
  'names and quotes': 'password="',
  'names and colons': 'password: ',
  options: '--password ',
  'options in a command': ' -p -u a:b mysql ',
  elements: '<password>',
  'name and value': 'name: PASSWORD value: ',
  'lists of parameters': 'a;b=',
  headers: 'Authorization: Bearer ',
  cookies: 'Cookie: a=b',
  urls: 'https://a:',
  'urls with passwords': 'https://a:b#@',
  signs: '=',
  'keys of Slack': 'xoxb-',
  'keys of Slack, whole': 'xoxb-1234567890-abc#\n',
  'keys of GitHub': 'ghp_',
  'keys of providers': 'sk-a-',
  'keys of providers, run together': 'sk-ant-api03-a1',
  'keys of AWS': 'AKIA',
  'keys of AWS, whole': 'AKIAIOSFODNN7EXAMP# ',
  tokens: 'eyJaaaaaaaaaa.',
  'beginnings of tokens': 'eyJ',
  'beginnings of private keys': '-----BEGIN RSA PRIVATE KEY-----\n',
  'private keys': '-----BEGIN PRIVATE KEY-----\nMIIE#\n-----END PRIVATE KEY-----\n',
  'ends of private keys': 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END',
  'bodies of private keys': 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC#\n',
  'base64 of keys': 'eG94Yi0xMjM0NTY3ODkwLWFiY2RlZmdoaWprbA== ',
  hexadecimal: '70617373776f72643d68756e7465723231 ',
  'rows of a table': 'a:1234:b:c:',
  'commands that print': 'echo a ',
  'input of programs': 'echo "aB3dE#" | passwd <<< ',
  'words of secrets': 'login',
  'random words': 'password aB3dE5fG7h# ',
  'words of secrets on lines': 'password\naB3dE5fG7h#\n',
  sentences: 'use a1b2c3# as the ',
  codes: 'PIN is 1234 recovery codes 1a2b3-c4d5e ',
  'users with passwords': 'bob@example.com:',
  'programs and arguments': 'mysql -u bob ',
  'programs in a line': 'docker login bw unlock ',
  'options of programs': 'gpg --passphrase "',
  'quotes of arguments': 'curl -u "a\' `',
  collections: 'tokens = ["a", ',
  'collections, each another': 'tokens# = {"a#": "b#", ',
  'collections in each other': '"credentials": {\n',
  'members between a name and a value': 'Token ID: ',
  'calls that log in': 'login("a", ',
  'sections of secrets': '[tokens]\na = b\n',
  'heads of sections': '[tokens]\n',
  'rows of a page': '<tr><td>password</td>',
  'cells of a page': '<td><b>password</b>',
  'columns of passwords': 'password\n',
  'heads of columns': 'user | password\n',
  'parameters of headers': 'Authorization: A b=c, ',
  'parameters without headers': 'authorization: A b="c", d=',
  'signs behind names': 'password → ',
  'dots behind names': 'password ..... ',
  'remarks behind names': 'password (a) for bob ',
  'names of other languages': 'пароль ',
  'names of two words': 'Unseal Key 1 ',
  'users of proxies': 'vless://a@b ',
  'words in paths': '/reset/token/a1B2c3D4#',
  'keys of services': 'A#_KEY=',
  'padded letters': 'aBcDeFgHiJkLmNoPqR',
};

/**
 * @param {string} piece
 * @param {number} length
 */
export function repeatPiece(piece, length) {
  if (!piece.includes('#')) return piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
  let text = '';
  for (let count = 0; text.length < length; count += 1) text += piece.replace('#', String(count));
  return text.slice(0, length);
}
