import { expect, it } from 'vitest';
import { findAssigned } from '../../../src/export/redact/secrets/assignments.ts';

const find = (text: string) =>
  [...findAssigned(text)].map(({ rule, start, end }) => `${rule} ${text.slice(start, end)}`);

it.each([
  [
    'GET /callback?state=x&code=4/0AfJohXkq3N8s2vQ-abc HTTP/1.1',
    'oauth-code 4/0AfJohXkq3N8s2vQ-abc',
  ],
  ['expect "*?assword:*"\nsend "correct-horse\\r"', 'command-password correct-horse'],
  ["requests.get(url, auth=('app', 'Zk3v9-Qw8Er", 'command-password Zk3v9-Qw8Er'],
  ['DriverManager.getConnection(url, "app", "Zk3v9-Qw8Er\nmore', 'command-password Zk3v9-Qw8Er'],
  ['Dim password As String = "Zk3v9-Qw8Er', 'assigned-secret Zk3v9-Qw8Er'],
  ['postgres://app:Zk3v9-Qw8Er\nmore', 'url-password Zk3v9-Qw8Er'],
  ['expect "Password: " { send -- "battery9\\n" }', 'command-password battery9'],
  ['passwd app <<EOF\nZk3v9Qw8Er\nZk3v9Qw8Er\nEOF', 'command-password Zk3v9Qw8Er'],
  ['gh auth login --with-token <<-EOF\n\tbattery9\n\tEOF', 'command-password battery9'],
  ['{"name": "DB_PASSWORD", "value": "hunter2abcX"}', 'assigned-secret hunter2abcX'],
])('finds %j', (text, found) => {
  expect(find(text)).toContain(found);
});

it.each([
  '/posts?code=typescript-and-javascript',
  'https://x.org/?code=404',
  'see http://localhost:8080\nand http://example.com:443',
  'the password and send it "now"',
])('leaves %j', (text) => {
  expect(find(text)).toEqual([]);
});
