import { expect, it } from 'vitest';
import { redactText, VALUES } from './redact-text.ts';

it.each([
  '密码：不能为空，长度至少8位',
  '密码：请输入6到20位字母和数字',
  '密码：使用bcrypt加密后存储到数据库',
  "  password: '密码长度不能少于8位',",
  'password: 用户密码（长度6-20位）',
  'password: 用户密码，使用SHA256加密',
  '"password": "请输入密码（8-20位）",',
  '密钥：存放在.env.local文件里',
  'Token：最大输出长度为8192个字符',
  'accessToken：有效期7200秒，过期后用refreshToken刷新',
  'パスワード：半角英数字8～32文字',
])('takes no sentence without blanks for a secret: %s', async (text) => {
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it('takes no member that is one for a secret', async () => {
  const text = JSON.stringify({ password: '密码长度不能少于8位' });
  expect(await redactText(text)).toBe(JSON.stringify({ text }));
});

it.each([
  '密码：¤，请尽快修改默认密码',
  '密码：默认为¤，首次登录请修改',
  '密码：¤（首次登录请修改）',
  '密码是¤，不要告诉其他人',
  'パスワードは¤です',
  '密码是¤，用户名admin',
  '密码是¤（root）',
  '密码为¤、端口22',
  '密码是¤👍',
  'パスワードは ¤（admin）',
  'a senha é ¤—keep it',
  'كلمة المرور هي ¤، واسم المستخدم bob',
  'पासवर्ड - ¤।',
  'รหัสผ่าน - ¤ครับ',
])('finds the secret in a sentence without blanks: %s', async (sentence) => {
  for (const value of VALUES)
    expect(await redactText(sentence.replace('¤', value))).not.toContain(value);
});

it.each([
  '密码：默认为1234，请修改',
  '密码：默认为iloveyou，请修改',
  '密码：初始密码admin123，请修改',
  '口令：芝麻开门123',
])('finds what a person has chosen: %s', async (text) => {
  expect(await redactText(text)).toContain('REDACTED');
});
