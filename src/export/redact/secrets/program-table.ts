/**
 * Arguments that are secret: programs, and forms that are separated by commas. The words of a form before the last
 * are arguments in this order, `.` for any. The last is an option whose value is secret, or `*`, an argument. A sign
 * follows it:
 *
 * - `=`: the value is attached to the option;
 * - `%`: the secret stands behind a user and one of `:%,`;
 * - `!`: a word or a number is secret there, too; behind others, it is not.
 */
const TABLE: Readonly<Record<string, string>> = {
  // Databases.
  'mysql mysqldump mysqladmin mysqlimport mysqlcheck mysqlsh mysqlbinlog mysqlslap mariadb mariadb-dump mariadb-admin mycli':
    '-p=!, password *',
  'mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop': '-p!',
  'redis-cli valkey-cli keydb-cli':
    '-a!, --pass!, auth *!, auth . *!, AUTH *!, AUTH . *!, requirepass *!, masterauth *!',
  'erl iex elixir werl rebar3': '-setcookie!, --cookie!',
  'influx influxd': '-p!, -password!, -t, --token',
  'cqlsh cypher-shell dse beeline snowsql trino presto couchbase-cli cbq cbbackupmgr': '-p!',
  'sqlcmd bcp isql iisql tsql osql freetds fisql bsqldb defncopy dbaccess aerospike asadm aql asinfo':
    '-P!, -p',
  'isql iusql': '. . *',
  'neo4j-admin': 'set-initial-password *',
  db2: 'using *',
  'rabbitmqctl rabbitmqadmin': 'add_user . *!, change_password . *!, authenticate_user . *, -p',
  etcdctl: '--user%, --password!',
  pulumi: 'config set --secret . *!',
  'clickhouse-client clickhouse psql pg_dump': '--password!',
  sqlldr: '-p',
  mosquitto_passwd: '-b . . *!',
  'mosquitto_pub mosquitto_sub mosquitto_rr': '-P!, --pw!',
  // Directories, networks and machines.
  'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldapmodrdn ldapcompare ldapexop ldappasswd ldapvi':
    '-w!, -s, -a',
  slappasswd: '-s!, -c',
  'kadmin kadmin.local': '-w!, -pw!',
  'addprinc cpw add_principal change_password': '-pw!',
  'smbclient rpcclient winexe smbget smbmap net wmic pth-winexe smbcacls': '-U%!, --user%!, -p',
  'ipmitool ipmi-console ipmipower ipmi-sensors': '-P!, -p, user set password . *',
  'racadm redfishtool': '-p!',
  'xfreerdp xfreerdp3 wlfreerdp sdl-freerdp': '/p:!, /gp:!, /pth:',
  'rdesktop evil-winrm crackmapexec cme nxc netexec winrs psexec hydra medusa ncrack':
    '-p, -P, -H, -w',
  'plink pscp putty psftp pageant': '-pw!',
  winscp: '/password=!',
  sshpass: '-p!',
  'lftp ncftp ncftpput ncftpget ncftpls': '-u%!, -p',
  ftp: '-p',
  'snmpwalk snmpget snmpset snmpbulkwalk snmptrap snmpbulkget snmptable snmpinform':
    '-A!, -X!, -c, -a, -x',
  'vncviewer x11vnc tightvncserver': '-passwd, -storepasswd *',
  'vncpasswd vino-passwd': '*',
  networksetup: '-setairportnetwork . . *!',
  nmcli: 'password *!, psk *!, wifi-sec.psk *!, 802-11-wireless-security.psk *!, vpn.secrets *',
  'iwctl wpa_cli': '--passphrase!, psk *',
  wpa_passphrase: '. *!',
  iwconfig: 'key s:=!, key *',
  netsh: 'key=!, keyMaterial=!',
  'net net.exe': 'user . *!',
  cmdkey: '/pass:!, /p:!',
  runas: '/user: *',
  iscsiadm: '-v',
  radtest: '. *',
  'openconnect vpnc': '-p',
  // Users and machines.
  'useradd usermod adduser': '-p!, --password!',
  'dsconfigad createuser createdb': '-p, -P',
  dscl: '-passwd . *, passwd . *',
  sysadminctl: '-password!, -newPassword!, -oldPassword!',
  dsadd: '-pwd!',
  'samba-tool': 'user create . *, user add . *, --newpassword!, --adminpass!',
  htpasswd: '-b . . *!, -n . *',
  mkpasswd: '*, -s',
  adb: 'set-password *, set-pin *!, set-pattern *!',
  'hdiutil diskutil': '-passphrase!, -oldpassphrase!',
  security:
    'unlock-keychain -p!, create-keychain -p!, set-keychain-password -p!, set-keychain-password -o!, set-key-partition-list -k!, import -P!, export -P!, add-generic-password -w!, add-generic-password -p!, add-internet-password -w!',
  'manage-bde': '-rp!, -pw!, -RecoveryPassword!',
  'veracrypt truecrypt': '-p!',
  gocryptfs: '-passwd',
  virsh: 'secret-set-value . *, secret-set-value --base64 *, --interactive',
  ceph: 'auth add . *',
  // Encryption and files.
  'zip unzip zipcloak zipnote': '-P!',
  '7z 7za 7zr 7zz p7zip rar unrar': '-p=!, -hp=!',
  gpg: '--passphrase!',
  gpg2: '--passphrase!',
  openssl: '-k, -K, -pass%!, -passin%!, -passout%!, -password%!',
  'steghide outguess ccrypt ccencrypt ccdecrypt mcrypt aescrypt scrypt stegseek': '-p, -k, -K, -P',
  'pdftotext pdfinfo pdfimages pdftoppm pdftocairo pdffonts pdfdetach pdfseparate pdftops pdftohtml':
    '-upw!, -opw!',
  pdftk: 'input_pw *, user_pw *, owner_pw *',
  qpdf: '--password!, --encrypt *, --encrypt . *',
  'ssh-keygen ssh-add': '-N!, -P!',
  'keytool jarsigner': '-storepass!, -keypass!, -srcstorepass!, -deststorepass!, -new!',
  apksigner: '--ks-pass%!, --key-pass%!',
  'signtool osslsigncode': '/p!, -pass!',
  'ansible-vault': 'encrypt_string *',
  // Vaults of secrets.
  'bw bitwarden-cli': 'unlock *, login . *, --password',
  'vault bao': 'login *, unseal *',
  lpass: '-p',
  op: '--secret-key',
  keyring: 'set . . *',
  doppler: 'token *, --token',
  rclone: 'obscure *!, pass *, --sftp-pass, --password-command',
  // Clouds, registries and services.
  'docker podman nerdctl buildah skopeo crane oras helm':
    'login -p!, login --password!, registry -p!, --creds%!, --dest-creds%!, --src-creds%!',
  'az azure': '-p, --password!',
  oc: 'login -p!',
  'cf ibmcloud bx': 'login -p!, auth . *, --apikey',
  'consul nomad': '-token, login *',
  argocd: '--password!',
  heroku: 'auth:token *',
  'fly flyctl': 'token *, -t, --access-token',
  'vercel now netlify surge railway supabase firebase expo eas appcenter':
    '-t, --token, --auth, -p',
  ngrok: 'authtoken *, add-authtoken *, --authtoken, config add-api-key *',
  cloudflared: 'install *, --token',
  tailscale: '--authkey, --auth-key',
  aws: 'aws_secret_access_key *, aws_session_token *, *_secret_access_key *, --master-user-password!, --password!, --secret-string, --client-secret',
  doctl: '-t, --access-token, auth init -t',
  'linode-cli hcloud scw': '--token, secret-key= *',
  'mc mcli': 'set . . . *, add . . . *',
  's3cmd s5cmd': '--secret_key',
  databricks: '--token',
  twine: '-p!, --password!',
  uv: 'publish -t, publish -p!, --token, --password!',
  npm: 'set _authToken *, config set . *',
  'pnpm yarn': 'config set . *, npmAuthToken *',
  cargo: 'login *, --token',
  poetry: 'config pypi-token.pypi *, config . *, config . . *, publish -p!',
  composer: 'config . *, config . . *',
  bundle: 'config . *%',
  gem: '--key, -k',
  nuget: 'push -k, push -ApiKey, setapikey *, -Password!, --api-key',
  dotnet: 'push -k, push --api-key, user-secrets set . *',
  mvn: '--encrypt-password!, --encrypt-master-password!, -emp!, -ep!',
  conda: 'token set *',
  wandb: 'login *',
  'hf huggingface-cli': 'login --token, login *',
  openai: '-k, --api-key',
  kaggle: '-p',
  codecov: '-t, --token',
  'coveralls codeclimate circleci travis buildkite-agent': '-t, --token, setup . *',
  snyk: 'auth *',
  'sentry-cli': '--auth-token, --api-key',
  'gitlab-runner': '-r, --registration-token, --token',
  'gh glab hub tea jira': 'login -t, login --token, -t, login *, add -t',
  pm2: 'link *, link . *',
  steamcmd: '+login . *',
  // Transfer and mail.
  'curl curlie':
    '-u%!, --user%!, -U%!, --proxy-user%!, --proxy%, -x%, -E%!, --cert%!, --pass!, --proxy-pass!, --tlspassword!, --key-pass!, --oauth2-bearer, --proxy-tlspassword!',
  'http https xh xhs httpie': '-a%!, --auth%!, -a, --bearer',
  'wscat ab hey siege': '-A%!, -a%!, --auth%!',
  wget: '--password!, --http-password!, --ftp-password!, --proxy-password!',
  aria2c: '--http-passwd!, --ftp-passwd!, --rpc-secret!',
  'yt-dlp youtube-dl gallery-dl': '-p, --password!, --video-password!, --ap-password!',
  'altool notarytool': '-p, --password!',
  swaks: '-ap!, --auth-password!, -ap',
  sendemail: '-xp!',
  'irssi weechat': '-w',
  'telegram-cli': '-p',
  imapsync: '--password1!, --password2!',
  // Applications.
  drush: 'user-password . *, upwd . *, user:password . *',
  'grafana-cli grafana': 'reset-admin-password *',
  'mattermost mmctl': 'password . *, change-password . *',
  wp: '--user_pass!, --dbpass!, --admin_password!, --prompt',
  dvc: 'modify . password *, modify . secret_access_key *, modify . access_key_id *, modify --local . . *',
};

export type How = 'attached' | 'behind' | 'any';

/** One form of the table. */
export interface ArgumentForm {
  /** Arguments that come before it, in this order; `.` for any. */
  readonly before: readonly string[];
  /** The option whose value is secret; undefined: it is the next argument. */
  readonly option: string | undefined;
  readonly how: ReadonlySet<How>;
}

const SIGNS: ReadonlyMap<string, How> = new Map([
  ['=', 'attached'],
  ['%', 'behind'],
  ['!', 'any'],
]);

function parseForm(form: string): ArgumentForm {
  const words = form.trim().split(' ');
  const last = words.at(-1) ?? '';
  const [, target = '', signs = ''] = /^([^=%!]{1,60})([=%!]{0,4})$/.exec(last) ?? [];
  const how = new Set(signs.split('').flatMap((sign) => SIGNS.get(sign) ?? []));
  const option = target === '*' ? undefined : target;
  return { before: words.slice(0, -1), option, how };
}

/** Forms by the name of a program. */
export const PROGRAMS: ReadonlyMap<string, readonly ArgumentForm[]> = toPrograms();

function toPrograms(): ReadonlyMap<string, readonly ArgumentForm[]> {
  const programs = new Map<string, ArgumentForm[]>();
  for (const [names, forms] of Object.entries(TABLE)) {
    const parsed = forms.split(',').map(parseForm);
    for (const name of names.split(' ')) {
      programs.set(name, [...(programs.get(name) ?? []), ...parsed]);
    }
  }
  return programs;
}

/** A name is one of a program where an argument follows. */
export const PROGRAM_MARKS: readonly string[] = [...PROGRAMS.keys()].flatMap((name) => [
  `${name} `,
  `${name}.exe `,
  `${name}" `,
  `${name}.exe" `,
]);
