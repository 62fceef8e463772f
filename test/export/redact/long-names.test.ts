import { expect, it } from 'vitest';
import { redact, VALUES } from './redact-text.ts';

/** Names of settings that are long, or say more than once that they may be secret. */
const NAMES: readonly string[] = [
  'AUTHELIA_AUTHENTICATION_BACKEND_LDAP_PASSWORD',
  'AUTHELIA_IDENTITY_PROVIDERS_OIDC_HMAC_SECRET',
  'KEYCLOAK_DATABASE_VENDOR_POSTGRES_PASSWORD',
  'SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_OKTA_CLIENT_SECRET',
  'spring.security.oauth2.client.registration.azure.client-secret',
  'authelia.authentication_backend.ldap.password',
  'TokenServiceBackgroundWorkerDatabasePassword',
  'oauth2ResourceServerIntrospectionClientSecret',
];
const FORMS: readonly string[] = [
  '¤=*',
  '¤: *',
  '"¤": "*"',
  'export ¤="*"',
  '- name: ¤\n  value: *',
  '<property name="¤"><value>*</value></property>',
  '<entry key="¤">*</entry>',
  '| name | value |\n|---|---|\n| ¤ | * |',
  'user,¤\nbob,*',
  ' ¤ \n----------\n *\n(1 row)',
  '1) "name"\n2) "bob"\n3) "¤"\n4) "*"',
];

it.each(NAMES)('finds what is given to %s', async (name) => {
  for (const form of FORMS) {
    for (const value of VALUES) {
      const text = await redact(form.replace('¤', name).replace('*', value));
      expect(text).not.toContain(value);
      expect(text).toContain(name);
    }
  }
});

it.each([
  'x {"id": "k5x7q2", "label": "password", "value": "*"}',
  'x {"name": "f1", "field": "password", "value": "*"}',
  '- id: k5x7\n  label: password\n  value: *',
  'key: form1\nfield: password\nvalue: *',
  '<input name="login" id="password" class="x" value="*">',
])('finds a value behind its name, and another before that, in %s', async (form) => {
  for (const value of VALUES) expect(await redact(form.replace('*', value))).not.toContain(value);
});

const LONG = `a1B${'wkBN72raYD19xc'.repeat(60)}`;

it.each([
  'npm config set //registry.example.com/:_authToken *',
  'cloudflared service install *',
  'keyring set shop bob *',
  'rabbitmqctl add_user bob *',
  'rclone obscure *',
])('finds an argument of 800 characters in %s', async (command) => {
  expect(await redact(command.replace('*', LONG))).not.toContain('wkBN72');
});

const WITH_WORDS_BEHIND: readonly string[] = [
  'TF_VAR_postgres_admin_password_eu',
  'SPRING_DATASOURCE_REPORTING_PASSWORD_READONLY',
  'process.env.POETRY_PYPI_TOKEN_PYPI',
  'SECRET_SPRING_SECURITY_OAUTH2_CLIENT_REGISTRATION_OKTA',
];

it.each(WITH_WORDS_BEHIND)(
  'finds what is given to %s, with a word behind that of a secret',
  async (name) => {
    for (const value of VALUES) {
      expect(await redact(`${name}=${value}`)).toBe(`${name}=[REDACTED:assigned-secret]`);
      expect(await redact(`${name} = "${value}"`)).not.toContain(value);
    }
  },
);
