import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { detectSecrets } from '../../../src/export/redact/secrets/detect-secrets.ts';
import { readAs } from '../../../src/export/redact/text/read-as.ts';
import { Redactor } from '../../../src/export/redact/redactor.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

function readTexts(directory: string, ending: RegExp): readonly string[] {
  return readdirSync(join(ROOT, directory), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => readFileSync(join(ROOT, directory, name), 'utf8'));
}

it('takes fewer than one in 10,000 words of ordinary text for a secret', async () => {
  const texts = [
    // Without the page of all forms, each of which is found.
    ...readTexts('docs', /(?<!secrets)\.md$/),
    ...readTexts('src/session', /\.ts$/),
    ...readTexts('samples', /\.jsonl$/),
    readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'),
  ];
  const words = texts.reduce((sum, text) => sum + (text.match(/\w+/g)?.length ?? 0), 0);
  const whole = texts.join('\n\n');
  // Codex has texts of tools as JSON in a string.
  const inJson = texts.map((text) => JSON.stringify({ content: text })).join('\n');
  const found = (await detectSecrets(readAs(whole))).concat(await detectSecrets(readAs(inJson)));
  // What the documents show as examples of secrets is as good as one.
  const values = [...new Set(found.map(({ value }) => value))];
  expect(values.slice(0, (words / 10_000) | 0)).toEqual(values);
  expect(words).toBeGreaterThan(50_000);
});

it.each([
  'sha 3f786850e387550fdab836ed7e6dc881de23001b, id 0199a3f1-7d2c-7e11-9b1a-2f4c6d8e0a1b',
  'password = utf8_to_utf16_dup(v); with LOGIN authentication. Requires a LOGIN of the user.',
  'const password = getPassword(); let token = await readToken(file, 1);',
  'interface A { token: string; password?: string; secret: Buffer | undefined; apiKey: Key }',
  'max_tokens: 4096, "total_tokens": 123456, nextPageToken: "CAoQAA1", tokens = 12',
  'connect(password=password, token=args.token, api_key=os.environ["KEY_1"])',
  'password: ${DB_PASSWORD1}, token: <your-token-1>, secret: {{ secret1 }}, apiKey: "$API_KEY_1"',
  '"integrity": "sha512-9QH0r8lYkq4p5yJ1FQb3m0G7eV2sJwXo5kq3rKc1uD8nYt6iZp4aWbE2xLfHgS7vTjN0mRcOyUdQhPzKiBsA3g=="',
  String.raw`{"cmd": "cat x", "out": "\tpolicy.module(layout, { token: \"config\" });\n\tsecret: \\\"signal\\\""}`,
  'docker run -u 1000:1000 -p 8080:80 app; mysql --port 3306; date -u +%H:%M',
  'cookies are small; authorization is needed; the token expires; PASS: TestParse2 (0.00s)',
  'see /home/user/src/session/jsonl/read-lines.ts:120 and https://example.com/a/b?page=2&sort=token',
  'import { token1 } from "./token.ts"; export type Secret = { readonly rule: string };',
  '<input type="password" name="password" placeholder="Enter your password 1">',
  'git push -u origin feature:main2 && rsync -u host:/path1 .',
  'The authentication-key option of OSPF is new in release 12; neighbor 10.0.0.1 password mismatch, seen 3 times',
  'The password is required; the token expired at 2026-03-01; Access Key: optional, see RFC2617',
  '| password | string | yes |\n| token | string2 | no |\n--password  The password2 of the user',
  'user,password,token\nname,string,optional\n\nINSERT INTO users (name, password) VALUES (?, ?1)',
  'getPassword("name1", "user2"); setToken(response2.data); password || "secret-name"',
  'password: t("label.password1"), token = parse("header.Name2"), secret: z.string("Expected2")',
  'cannot read C:\\Users\\bob\\Temp\\a7Kq9Zr2xW\\token\\s-5R4qbR.jsonl of the session; login in Z:\\tmp\\x-tHJUB2zQ',
  'an array identified by start1 and end2; the password of the user is kept in "Module2::Name"',
  '{"password": {"type": "string1", "value": "password"}}, setPassword("password"), .token("id")',
  'read TOKEN <<< "$INPUT1"; password="$(cat /run/secrets/p1)"; token=`get-token --now1`',
  'see actions/checkout@v4 and connect app/db@host; conn.close(); userid=12',
  'auth-service-7d9f8b6c5d-x2k4p  1/1  Running\ndefault-token-x7k2p  kubernetes.io/service-account-token  3',
  'ii  login  1:4.13+dfsg1-1+deb12u1  amd64\nSetting up passwd (1:4.13+dfsg1-1+deb12u1) ...\ngpgv 2.2.40-1.1~deb12u2',
  '"Credentials": {\n "Expiration": "2026-05-04T11:12:31+00:00"}\ntoken: 2026-05-04T11:12:31.5-0700\n{"auth": "2026-05-04T11:12Z"}',
  'debug1: Server host key: ssh-ed25519 SHA256:0uh1uVRsmbTm\nssh_key: ssh-ed25519-cert-v01@openssh.com\nphase2="auth=MSCHAPV2"',
  'base-passwd\t3.6.1\nlibdav1d6:amd64\t1.0.0-2+deb12u1\npasswd\t1:4.17.4-2\npatch\t2.7.6-7\nperl\t5.36.0-7\npython3-lib2to3\t3.11.2-3\nzlib1g:amd64\t1:1.2.13.dfsg-1',
  'ii  passwd  1:4.13+dfsg1-1  amd64\nii  zlib1g:amd64  1:1.2.13.dfsg-1  amd64\nii  smbclient  2:4.17.12+dfsg-0+deb12u4  amd64',
  'my public key is 3f9a1c7e5b2d8046af13ce57bd90e2a4, your cache key: a1b2c3d4e5f6a7b8c9d0',
  String.raw`printf 'protocol=https\nhost=github.com\n' | git credential fill; echo url=https://a.org | git credential fill`,
  'CMS_add0_recipient_password\nASN1_TYPE_new\nOBJ_nid2obj\nPKCS12_get0_mac\nX509_CRL_set1_nextUpdate\nX509V3_EXT_nconf',
  '2756: cs nopw 0x0(%rax,%rax,1)\ncmpw   $0x5a4d,0x2f(%rip)\npopw   0x12(%rbp)\ncall 401030 <pam_authenticate@plt+0x1a2b>',
  ' /etc/pam.d/chpasswd 9900720564cb4ee98b7da29e2d183cb2\n /etc/pam.d/common-password d41d8cd98f00b204e9800998ecf8427e',
  'U CAST_set_key@@OPENSSL_3.0.0\n0000000000155bf0 T CMS_final@@OPENSSL_3.0.0',
  '0000000000041ba0 T SSL_SESSION_set1_master_key\n0000000000041bb0 T SSL_SESSION_up_ref\nset_key\nEVP_aes_128_cbc_hmac_sha1',
  './lib/fast-check.js:10817:* Create a char token\n./lib/fast-check.js:10830:* x\n/usr/lib/python3.11/token.py:66:# a token\nsrc/Auth2.java-17-It',
  'auth: arn:aws:iam::123456789012:role/auth-Role2-1ABCDEFGHIJ2K\nlogin role arn:aws:iam::123456789012:role/Ci2x-3FGHIJ',
  'auth image sha256:3fb1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5\ncookie banner v2 at https://cdn.x.com/v2.3.1/cc.min.js?v=8f3a9c',
  'secret/shop-db-k7t9h2mf5g created\nvolume "kube-api-access-x7k2p": failed to fetch token\nsecret: projects/1/secrets/db-pass/versions/7',
  'nginx.ingress.kubernetes.io/auth-secret: basic-auth\nauthSecret: redis-auth',
  'netsh wlan show profile name="x" key=clear\nnmcli -s -g 802-11-wireless-security.psk connection show x',
  'd41d8cd98f00b204e9800998ecf8427e  password.txt\nda39a3ee5e6b4b0d3255bfef95601890afd80709  secrets.yaml',
  'github.com/hashicorp/vault/api v1.15.0 h1:O24FYQCWwhwKnF7CuSqP30S51rTV7vz1iACXE/pj5DA=',
  'toolu_01A09q90qw90lq917835lq9 call_abc123DEF456ghi789JKL012 msg_01XFDUDYJgAACzvnptvVoYEL rs_1',
  'req_011CSHoEeqs5C35K2UUqR7Fy resp_67ccd3a9da748190baa7f1570fe91ac604becb25c45c1d41 cs.method1(x)',
  'gnutls_pubkey_import_tpm_raw2, main-4f2a9c1b.js, sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  '00487c51-42b8-4a7a-89bc-c4f87f226f48", "isMeta", 0x5f3759df, 1/2, s.substring(0, 24), test_v2_of_it',
  '{"argv": ["tar", "-p", "/home/user1", "x"], "value": "abcdefgh", "name": "title"}',
  "cat > app/login/page.tsx <<'EOF'\nimport React\nEOF\ncat > k8s/secret.yaml <<EOF\napiVersion: v1\nEOF",
  'cat > src/stdin.ts <<EOF\nimport\nEOF\ntee test_stdin.py <<EOF\nimport\nEOF\ncat >> auth/login.py <<EOF\nfrom a',
  'python - --stdin <<PY\nimport sys\nPY\nkubectl create secret generic x <<EOF\napiVersion: v1\nEOF',
  'sudo -S tee f <<EOF\nDear user\nEOF',
  '{"minipass": "^7.1.2", "@isaacs/fs-minipass": "^4.0.0", "js.cookie": "~3.0.5-beta.1"}',
  'tokens: - require Node@^12.0.0 || ^14.0.0, and npm i auth@1.2.3-rc.1 @types/cookie@0.6.0 pass@>=2.0.1',
  '{"name": "DB_PASSWORD", "valueFrom": {"secretKeyRef": {"name": "db", "key": "password"}}}',
  'dotnet build -p:VersionSuffix=beta1 -p:Version=1.2.3; msbuild foo.sln /p:Configuration=Release2',
  'uses: docker://node:20-alpine\ndocker://python:3.12-slim\noci://registry:v1.2.3abc',
  'hmac.new(key, msg, "sha3_256"); createHmac("sha512/256"); hash_hmac("sha3-256", $data, $key)',
  'errors.add("password", "tooShort"); headers.set("Authorization", "application/json")',
  'os.environ.get("DB_PASSWORD", "default"); faker.internet.password("length")',
  'the connection to repo/main@sha, connecting to repo/main@sha',
  'cat >> /etc/passwd <<EOF\nbob:x:1000:1000::/home/bob:/bin/sh\nEOF\ncat: /etc/passwd: Permission denied',
  'cat > /etc/pam.d/passwd <<EOF\n#%PAM-1.0\nEOF\n/usr/bin/passwd: command',
  'docker pull foo/app:v1.2@sha256:ab12, app:1.2.3@sha256:ab12, npm:react18@18.2.0, npm:Width2x@latest',
  'mailto:bob1@example.com, Email:John.Doe99@example.com, Assignee:Jane.Doe2@example.com, To:aB3dE5@x.org',
  'at 12:30:45@host, scp bob@host:file2.txt, git@github.com:a/b, user:password@host, admin:<pw1>@host',
  'com.example:Bar2x@aar, <a :key1@click="x"> v-on:Foo1@click, Home:Index2@Main',
  'https://johndoe42@bitbucket.org/x, https://JohnDoe42@github.com/x',
  '?key=page2 ?code=ERR404 ?key=section12 ?code=HTTP2024 ?signature=v1 ?sid=0199a3f1-7d2c-7e11-9b1a-2f4c6d8e0a1b',
  '-DCMAKE_BUILD_TYPE=Release -Dlogin=bob1 -DLOGIN_NAME=bob1 -Duser.login=jane.doe2',
  'USER guide1\nPASS: TestParse2\nPASS test/foo1.test.ts\nbtoa("data:text") openssl passwd -help1 foo',
  'api-keys ";;;EACE,SAAS5B,GAAGA;AAC9C,IAAIqB2xR,CAAC" smbclient //srv/share -N, openssl x509 -k',
  'see `login -p` and **zip -r**: `psexec.py` of impacket-0.12, `curl -u` user: bob p: 1',
  'trees{/sha}, {sha}abcdef0123456789, $1$2, cost $1$, price*0123456789ABCDEF',
  'runas /user:bob notepad2.exe, smbclient -L host2, net use x: /user:bob, see `user bob > file2`',
  "sed 's/token/other/' f; snmp-server community public RO; f(PWD={password1}) SecretStr(value2)",
  '{"id": 1, "text": "a", "content": "b2"}\n{"id": 2, "text": "c"}',
  'docker run -p 8080:80 app2; see `docker login -p` and mysql -p; zip -P and unzip -P for a.zip',
  'wandb login && vault login -method=userpass username=bob2; gh auth login --web; npm login',
  'bw unlock --raw; ssh-keygen -t ed25519 -N "" -f k2; gpg --passphrase-file ./f2 -d x2.gpg; az login -t a2',
  'curl -u bob https://example.com/v2; psql -p 5433; mongodump -p 27017; sqlcmd -S db2 -Q "select 1"',
  'tokens = ["Hello", "World2"]; const secrets = [Module2, "name"]; passwords: [length, 12]',
  'login("bob", "Home2"); authenticate(user2, "basic"); auth = (token2, None); register("a", "b2")',
  'Authorization: see RFC7235; authorization: required since v2.1; Authorization: Bearer <token1>',
  'password → required; token | string2; secret - see below2; password ... see step2',
  '<tr><th>user</th><th>password</th></tr><tr><td>bob</td><td>required2</td></tr>',
  'password\n--------\nrequired\n(1 row)\n\ntoken\nstring2\nnumber',
  'CACHE_KEY=aB3dE5fG7h PRIMARY_KEY=a1b2c3d4e5f6a7b8 sortKey: Zk3v9Qw8',
  'TOKEN_LIMIT=409600a password_hash_rounds=12abc password_min_length=12chars tokens_used: 4096of8192',
  'OLDPWD=/home/bob2 PWD=/srv/App2 bypass=On2 compass: North2 stopTokens=12',
  'ssh://git@github.com/a/b vless is a protocol; https://example.com/token/refresh2; git://host2/x; http://a@b',
  'a master-detail view, account-settings2, web_server_1, local-first, t-shirt, live_public_2, key_press_2',
  '[1] https://docs.python.org/3/library/json.html\n[2] doi:10.1145/3297858\n[ERROR] app.ts:120:15',
  '[INFO] com.google.guava:guava:jar:33.0.0-jre:compile\n[stage-1] python:3.12-slim\n[FAIL] test_a.py::test_two2',
  'SASL PLAIN authentication, AUTH LOGIN credentials; auth plain mechanisms/authentication',
  'perl -MExtUtils::Command -e cat a; perldoc -u Some::Modulename; cargo test -u tests::Case2',
  'systemd-run --user --wait -p SuccessExitStatus=11 x; systemd-run --user --scope -p MemoryMax=2G -p CPUWeight=50 make',
  'use sha2::Sha256; use x25519_dalek::X25519PublicKey; use Unicode::Collate::CJK::JISX0208;',
  'kind: ExternalSecret\napiVersion: external-secrets.io/v1alpha1; auth at apis/authorization/v1beta2/namespaces',
  'login failed at 0x7FEFFFA90 (0x4C2408D, 0x00007fbD2e93e000); #define AUTH_ERROR 0xce53635aUL',
  `const tokens = { hex: /[0-9a-fA-F]+/ }; tokens = {'x': r'[0-9a-fA-F]{2}', 'y': '0-9a-fA-F'}`,
  `const [password, setPassword] = useState<string>(''); const password1 = useRef<HTMLInputElement>(null);`,
  'let password = Option<String>::None; password: Secret<String>, password = FormControl<string | null>(x)',
  '{"email": "E-Mail", "password": "Passwort", "newPassword": "Kennwort:"}; Das Passwort vergessen?',
  "password: 'Contraseña', confirmPassword: 'Contrasenya', password: 'Wachtwoord', password: 'Пароль'",
  'LABEL_PASSWORD=Heslo\nLABEL_PASSWORD=Lösenord\nPASSWORD_LABEL: Adgangskode\nform.password = Salasana',
  '-----BEGIN CERTIFICATE-----\nLe8Wb3Td7Ub5Bc8Pc5Ct8Bu3Hw2Uu8+PIN/Bh2Te6Pe3Uj4Du5Md3Ub5Rx8Lq9Mj\nHf5Cu6Sr7Zq6Vc3Sp4Le9Pb3Tu7Ly7Vr9Cc6Ry3Bz6Wu9Ky8Xm2Qm4Vd9Bg6Ez5N\n-----END CERTIFICATE-----\n',
  'The secret is in the vault.\n-----BEGIN CERTIFICATE-----\nHf5Cu6Sr7Zq6Vc3Sp4Le9Pb3Tu7Ly7Vr9Cc6Ry3Bz6Wu9Ky8Xm2Qm4Vd9Bg6Ez5N\nNr3Fq8Ti4Pt6Yp7Xn5Ec4Eh5Ar4Jj2Ep7Vu7Ey2Qx8Nn8Dr8Bg3Gq4Dk2Da4Td7V\n-----END CERTIFICATE-----\n',
  "The authenticity of host 'x' can't be established.\nED25519 key fingerprint is SHA256:Ac5Vn4Wi7Vm9Dd9Qr9Kc4Dz7Zi9Yf2Gs7Ey2Sj3Yi7F.\n",
  'certificate-authority-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tYg9Fp7Cz8Qn3Zf4Ea4Uq4Vv9Xm4Tt4Aa3Sz4Pg5Ai5Ks5Uk6Tp4Bz7Qx8Se4',
  '$ cat ~/.ssh/authorized_keys\nssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAISs2Qf2Ef4Rv3Tb7Xs9Dt2Hg6Bd9Ta3Qk5Yi9St9Sh6T bob@laptop\n',
  'fix the refresh of a token\n\n    Change-Id: Ia9f3c1b7e5d2048c6a9f3c1b7e5d2048c6a9f3c1\n',
  'js-tokens@^4.0.0:\n  resolved "https://registry.yarnpkg.com/js-tokens/-/js-tokens-4.0.0.tgz#19203fb59991df98e3a287050d4647cdeaf32499"',
  '"ARN": "arn:aws:secretsmanager:us-east-1:123456789012:secret:prod/db-a1B2c3"',
  'image: ghcr.io/acme/auth:v1.2.3-4f2a9c1b\nSuccessfully tagged acme/token:sha-4f2a9c1b\nacme/auth:d94440f9de5291df8e7563cbcb61bf08bbdd291d',
  '{"publicKey": "8gTlurjOPsJDiB6cGnc4ye1cCDv8uiqXD7iqMp97VDY="}',
  'level=info msg="user login" user_id=7406a7db-4520-460e-8bc7-02bf9ef37101 ip=10.0.0.7',
  '{"sub": "auth0|5f7c8ec7c33c6c004bbafe82"}',
  'JWT_SECRET=change-me-in-production\n',
  'Encryption key: AES-256-GCM, AES key: 256-bit, private_key: RSA-4096, secret = "aes-256-cbc"',
  'senha obrigatória, le mot de passe oublié2, contraseña requerida2, пароль нужен2, 密码是必填2',
])('leaves alone: %s', async (text) => {
  const payload = { text };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});

it('leaves alone what the names of members around it say nothing of', async () => {
  const content = [{ type: 'text', text: 'Build Zk3v9Qw8xT2mB7' }];
  const usage = { session_token: 7, accessTokens: 8 };
  const payload = { client_authored: false, message: { content }, usage };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});

it.each([
  'the author of Zk3v9Qw8xT2mB7',
  'inputTokens and max_tokens of run Zk3v9Qw8xT2mB7',
  'the tokenizer Zk3v9Qw8xT2mB7',
  'token usage of Zk3v9Qw8xT2mB7',
  'unsigned int Zk3v9Qw8xT2mB7',
  'a signed integer Zk3v9Qw8xT2mB7',
  'log info of Zk3v9Qw8xT2mB7',
])('takes no word of models, writers and programs for one of a secret: %s', async (text) => {
  expect(await detectSecrets(readAs(text))).toEqual([]);
});

it('leaves images alone', async () => {
  // What looks like a token is a row of black pixels.
  const data = `iVBORw0KGgo${'A'.repeat(22)}${'b1C2'.repeat(1000)}`;
  for (const one of [data, `data:image/png;base64,${data}`]) {
    const payload = { content: [{ type: 'image', mimeType: 'image/png', data: one }] };
    expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
  }
});

it.each([
  (data: string) => ({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } }),
  (data: string) => ({ type: 'image', file: { base64: data, type: 'image/png' } }),
])('leaves images of Claude Code alone below a word of secrets', async (toImage) => {
  const content = [{ type: 'text', text: 'The login:' }, toImage('iVBORw0KGgoZk3v9Qw8xT2mB7')];
  const payload = { message: { content } };
  expect(await new Redactor(detectSecrets, []).redact(payload, 1)).toBe(payload);
});
