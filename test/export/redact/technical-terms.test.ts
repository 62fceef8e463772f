import { expect, it } from 'vitest';
import { redactText } from './redact-text.ts';

it.each([
  'OAuth2.0',
  'OAuth2.1',
  'OAuth2-proxy',
  'OAuth2Client',
  'Oauth2Session',
  'OpenID2.0',
  'TLSv1.3-only',
  'PROTOCOL_TLSv1_2',
  'SSLv23_METHOD',
  'PKCS1v15',
  'RSASSA-PKCS1-v1_5',
  'secp256k1',
  'prime256v1',
  'brainpoolP256r1',
  'Ed25519PublicKey',
  'X25519PrivateKey',
  'ChaCha20Poly1305',
  'PBKDF2WithHmacSHA256',
  'SHA1withRSA',
  'NetNTLMv2',
  'AWS-SigV4',
  'IMAP4rev1',
  'IKEv2-PSK',
  'MS-CHAPv2',
  'SNMPv3User',
  'LDAPv3Client',
  'useLoginV2',
  'V2LoginForm',
  'reCAPTCHAv3',
  'i18nKeys',
  'initL10nTokens',
  'k8sSecret',
  'e2eLoginTest',
  'B2CLogin',
  'AzureAdB2C',
  'J2EELogin',
  'Neo4jAuth',
  'log4j2.xml',
  'MySQL8.0',
  'SpringBoot3.2',
  'cl100k_base',
  'narrow_i16x8_s',
  'iimage2DArray',
  'RWTexture1D',
  'A128CBC-HS256',
  'convert_low_i32x4_u',
  'o200k_base',
])('does not take %s for a secret beside the words for one', async (term) => {
  const texts = ['login with ¤ here', 'the ¤ token is', 'password ¤', 'secret (¤)', '  key: ¤'];
  for (const text of texts.map((one) => one.replace('¤', term)))
    expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each(['S3xk9Qw2Lm', 'aB2cX9kQ7v', 'oauth2Xq9Kw3Zt', 'Zk3v9Qw8', 'V2xk9Qw8Lm'])(
  'finds %s, which only begins like one',
  async (secret) => {
    for (const text of [`login with ${secret} here`, `password ${secret}`])
      expect(await redactText(text)).not.toContain(secret);
  },
);

it.each([
  'tests/test_token.py::TestToken::test_refresh_v2 PASSED [ 25%]',
  'FAILED tests/test_auth.py::TestPassword::test_base64_url_2 - AssertionError',
  'use crate::Token::Ident2;',
  'ClientSecret::from_str_v2',
  '[ERROR] com.acme.LoginTest.passwordTest  Time elapsed: 0.01 s  <<< FAILURE!',
  'testLogin(com.acme.PasswordTest)  Time elapsed: 0.01 s  <<< ERROR!',
  '<v-text-field v-model="password" :rules="rules" />',
  '<InputText id="password" :invalid="v$.password.$error" />',
])('takes nothing out of the names of tests, types and attributes in %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  'password::Zk3v9Qw8Lm',
  'password::Sommer77!',
  'gopass insert x/y <<< Zk3v9Qw8!',
  '"password" :Zk3v9Qw8=',
])('finds the secret in %s', async (text) => {
  expect(await redactText(text)).not.toMatch(/Zk3v9Qw8|Sommer77/);
});
