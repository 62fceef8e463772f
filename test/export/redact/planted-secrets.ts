const halves = (...parts: readonly string[]): string => parts.join('');

/**
 * Keys of the common kinds, none of them real. In halves, so that no scanner takes this file for a
 * leak.
 */
export const PLANTED: Readonly<Record<string, string>> = {
  'AWS access key': halves('AKIA', 'Q3EGRT7UPL5XZKNM'),
  'AWS secret key': halves('AWS_SECRET_ACCESS_KEY=', 'wJalrXUtnFEMIK7MDENGbPxRfiCYzA3pLq8vT2hS'),
  'GitHub token': halves('ghp_', 'a8Kd93jfLs02mNvbQ1xZ7yTrEwPo56UiHgCd'),
  'GitHub fine-grained token': halves(
    'github_pat_',
    '11ABCDEFG0aBcDeFgHiJkL_mNoPqRsTuVwXyZ0123456789aBcDeFgHiJkLmNoPqRsTuVwXyZ012345678',
  ),
  'GitLab token': halves('glpat-', 'x9Yz8Wv7Ut6Sr5Qp4On3'),
  'Slack token': halves('xoxb-', '123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx'),
  'OpenAI key': halves('sk-proj-', 'Zk3v9Qw8Er7Ty6Ui5Op4As3Df2Gh1Jk0LzXcVbNmQw'),
  'Anthropic key': halves(
    'sk-ant-api03-',
    'aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9dE1fG3hI5jK7lM9nO1pQ3rS5tU7vW9xY1zA3bC5dE7fG9hI1jK3-abcdefAA',
  ),
  'Google key': halves('AIza', 'SyD3kf9Lm2Nq8Rs5Tv7Wx1Yz4Ab6Cd0EfGh'),
  'Stripe key': halves('sk_live_', '4eC39HqLyjWDarjtT1zdp7dc'),
  'npm token': halves('npm_', 'k3Jd82hfKs91mNvbQ0xZ6yTrEwPo45UiHgCb'),
  'Hugging Face token': halves('hf_', 'QwErTyUiOpAsDfGhJkLzXcVbNmQwErTyUi'),
  'web token': halves(
    'eyJ',
    'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U',
  ),
  'bearer token': halves('Authorization: Bearer ', 'f83jKd02LsQ91mNvbX7zyTrEw56UiHg'),
  'private key': halves(
    '-----BEGIN RSA ',
    'PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7bq3Vn0example0key0material0only\n-----END RSA PRIVATE KEY-----',
  ),
  'database password': halves('postgres://admin:', 'hunter2Sup3rS3cret@db.internal:5432/app'),
};

/** What of a planted secret must be nowhere in what was redacted. */
export function getCore(secret: string): string {
  const value = secret.replace(/^(?:AWS_SECRET_ACCESS_KEY=|Authorization: Bearer )/, '');
  const [, password] = /:\/\/[^:]+:([^@]+)@/.exec(value) ?? [];
  return password ?? (value.split('\n')[1] || value);
}
