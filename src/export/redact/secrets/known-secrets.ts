import type { SecretPattern } from './find.ts';

/** The patterns of each rule. A letter or a digit before would be part of another word; `_` is not. */
const RAW: Readonly<Record<string, readonly RegExp[]>> = {
  'private-key': [
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?<secret>[^-]+(?:-[^-]+){0,12})-----END/g,
    /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----[^A-Za-z0-9-]{0,40}(?<secret>[A-Za-z0-9+/=]{12,})/g,
    // The parts of a JSON web key, also in the form of .NET.
    /"(?:d|p|q|dp|dq|qi|k)"\s{0,4}:\s{0,4}"(?<secret>[\w-]{40,})"/g,
    /<(?:D|P|Q|DP|DQ|InverseQ)>(?<secret>[\w+/=]{40,})</g,
  ],
  'age-secret-key': [/AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{40,}/gi],
  'json-web-token': [
    // A token within a word is taken from the last place where one can begin.
    /(?:(?<![\w-])eyJ[\w-]{10,}|eyJ(?:(?!eyJ)[\w-]){10,256})\.eyJ[\w-]{10,}(?:={0,2}\.[\w+/-]{10,})?/g,
    // Encrypted, or a session of a web framework.
    /(?<![\w-])eyJ[\w-]{10,}\.[\w-]{0,1000}\.[\w-]{10,}(?:\.[\w-]{10,}){0,3}/g,
  ],
  'aws-access-key': [/(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Z0-9])/g],
  'google-api-key': [/(?<![\w-])AIza[\w-]{20,40}(?![\w-])/g, /AIzaSy[\w-]{33}/g],
  'google-token': [/ya29\.[\w-]{20,}/g, /(?<![\w/.])1\/\/0[\w-]{30,}/g, /GOCSPX-[\w-]{20,}/g],
  'azure-secret': [
    /(?<![\w~.-])[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~-])/g,
    /[?&]sig=(?<secret>[\w%+/=-]{20,})/g,
  ],
  'cloud-token': [
    /do[opr]_v1_[a-f0-9]{64}/g,
    /HRKU-[\w-]{30,}/g,
    /FlyV1 fm\d_[\w+/=,-]{20,}/g,
    /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/g,
    /(?<![A-Za-z0-9])LTAI[A-Za-z0-9]{12,20}(?![A-Za-z0-9])/g,
    /(?<![A-Za-z0-9])AKID[A-Za-z0-9]{32}(?![A-Za-z0-9])/g,
    /dapi[a-f0-9]{32}(?:-\d)?/g,
    /pscale_(?:tkn|pw|oauth)_[\w.=-]{30,}/g,
    /(?<![a-z0-9_])(?:nfp|rnd|napi)_[A-Za-z0-9]{28,}/g,
    /(?<![a-z0-9_])(?:vcp|vci|vca|vcr|vck)_[A-Za-z0-9]{20,60}/g,
    /pul-[a-f0-9]{40}/g,
    /\.atlasv1\.(?<secret>[\w-]{60,})/g,
    /tskey-[a-z]{3,10}-[\w-]{16,}/g,
    /hv[sbr]\.[\w-]{24,}/g,
    /dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[\w-]{2,35}\.)?[A-Za-z0-9]{40,44}/g,
    /dt0[a-z]\d\d\.[A-Z0-9]{24}\.[A-Z0-9]{64}/g,
    /ops_eyJ[\w+/=-]{50,}/g,
    /(?<![A-Z0-9-])A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/g,
  ],
  'github-token': [
    /(?<![A-Za-z0-9])gh[pousr]_(?=\w{0,80}\d)[A-Za-z0-9_]{16,255}/g,
    /github_pat_[A-Za-z0-9_]{20,255}/g,
    // The whole token, whatever comes before it.
    /gh[pousr]_(?=[A-Za-z0-9]{0,35}\d)[A-Za-z0-9]{36}/g,
  ],
  'gitlab-token': [/gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent|oas|ffct)-[\w.-]{20,}/g],
  'atlassian-token': [/AT(?:ATT|CTT)3[\w=-]{40,}/g, /ATBB[A-Za-z0-9]{24,}/g],
  'package-token': [
    /npm_(?=\w{0,80}\d)(?=\w{0,80}[A-Z])[A-Za-z0-9]{20,}/g,
    /pypi-[\w-]{16,}/g,
    /rubygems_[a-f0-9]{40,}/g,
    /(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])/g,
    /(?<![a-z0-9])oy2[a-z0-9]{43}(?![a-z0-9])/g,
    /dckr_[op]at_[\w-]{20,}/g,
  ],
  'slack-token': [
    /xox[a-z]-[A-Za-z0-9-]{10,}/g,
    /x(?:app|wfp)-\d[A-Za-z0-9-]{10,}/g,
    /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[\w/-]{20,})/g,
  ],
  'chat-token': [
    /(?<![\w-])[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}/g,
    /discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/(?<secret>\d{15,20}\/[\w-]{40,})/g,
    /(?<!\d)\d{8,10}:AA[\w-]{33}(?![\w-])/g,
    /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{40,})/g,
  ],
  'stripe-key': [/(?<![a-z0-9])[rs]k_(?:live|test|prod)_[A-Za-z0-9]{10,}/gi, /whsec_[\w+/=]{16,}/g],
  'payment-token': [
    /sq0(?:atp|csp|idp)-[\w-]{22,}/g,
    /shp(?:at|ca|pa|ss|tka)_[A-Za-z0-9]{32,}/g,
    /access_token\$production\$[a-z0-9]{16}\$[a-f0-9]{32}/g,
  ],
  'mail-token': [
    /SG\.[\w-]{16,32}\.[\w-]{30,64}/g,
    /(?<![\w-])key-[a-f0-9]{32}(?![a-f0-9])/g,
    /-us(?<=(?<![a-f0-9])(?<secret>[a-f0-9]{32})-us)\d{1,2}(?!\d)/dg,
    /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/g,
    /(?<![A-Za-z0-9_])re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}/g,
  ],
  'twilio-key': [/(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![a-f0-9])/g],
  'provider-api-key': [
    /(?<![A-Za-z0-9])sk-(?:[a-z0-9]{2,8}-){0,3}(?=\w{0,80}\d)\w{20,}(?:-\w{1,200}){0,8}/gi,
    /sk-(?:ant-[a-z]{2,8}\d{2}|proj|or-v1|svcacct)-(?=[\w-]{0,80}\d)[\w-]{20,200}/g,
    /(?<![A-Za-z0-9])(?:xai|pplx|tvly|fc)-(?:[a-z]{2,5}-)?(?=\w{0,60}\d)[A-Za-z0-9_-]{20,}/g,
    /(?<![A-Za-z0-9])(?:gsk|hf|r8|fw|csk|nvapi|jina|voyage|pa)[_-](?=[\w-]{0,60}\d)[A-Za-z0-9_-]{30,}/g,
    /(?<![A-Za-z0-9])hf_[A-Za-z]{30,}/g,
    /api_org_[A-Za-z0-9]{30,}/g,
    /tgp_v1_[\w-]{30,}/g,
    /(?<![A-Za-z0-9])sk_[a-f0-9]{40,}/g,
    /lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}/g,
    /[sp]k-lf-[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}/g,
  ],
  'service-token': [
    /(?<![A-Za-z0-9_])secret_[A-Za-z0-9]{40,}/g,
    /(?<![A-Za-z0-9])ntn_[A-Za-z0-9]{40,}/g,
    /sntry[su]_[\w+/=-]{40,}/g,
    /https?:\/\/(?<secret>[a-f0-9]{32})(?::[a-f0-9]{32})?@[\w.-]{1,100}\/\d{1,20}/g,
    /(?<![A-Za-z0-9])sb(?:p|_secret)_[\w-]{20,}/g,
    /lin_(?:api|oauth)_[A-Za-z0-9]{32,}/g,
    /(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g,
    /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g,
    /NRAK-[A-Z0-9]{27}/g,
    /gl(?:c_[A-Za-z0-9+/]{32,}={0,2}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})/g,
    /figd_[\w-]{40,}/g,
    /sq[pau]_[a-f0-9]{40}/g,
    /bk[au]a?_[a-f0-9]{40}/g,
    /CCIPAT_[A-Za-z0-9]{20,}_[a-f0-9]{40}/g,
    /(?<![A-Za-z0-9])EAA[A-Za-z0-9]{80,}/g,
    /A{19,22}[\w%-]{80,}/g,
    /(?<![\w.-])sl\.[\w-]{100,}/g,
    /sk\.eyJ[\w-]{20,}\.[\w-]{16,}/g,
  ],
  'password-hash': [/\$(?:2[aby]|5|6|y|7|argon2(?:id|i|d)|scrypt)\$[\w./$=,+-]{20,}/g],
};

/**
 * Keys that are known by their shape, as their providers make them today. Each begins with a prefix
 * that ordinary text does not have. Beside secretlint's rules, which look for fewer kinds, or only
 * in a stricter shape.
 */
export const KNOWN_SECRETS: readonly SecretPattern[] = Object.entries(RAW).flatMap(
  ([rule, patterns]) => patterns.map((pattern) => ({ rule, pattern })),
);
