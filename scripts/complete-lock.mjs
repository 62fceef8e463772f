// @ts-check
// Adds to package-lock.json the optional packages of other platforms that npm has left out because
// the registry in use did not have them. Without them `npm ci` refuses the lock file everywhere.
// Run it after `npm install`: node scripts/complete-lock.mjs [package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs';

const SYSTEMS = [
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
];

const CPUS = [
  'arm64',
  'arm',
  'ia32',
  'loong64',
  'mips64el',
  'ppc64',
  'riscv64',
  's390x',
  'x64',
  'wasm32',
];

/** @param {string} name of a package such as `@oxc-parser/binding-linux-x64-musl` */
function getPlatform(name) {
  const words = name.split(/[/-]/);
  const os = SYSTEMS.filter((system) => words.includes(system));
  const cpu = CPUS.filter((one) => words.includes(one)).slice(0, 1);
  const libc = words.some((word) => word.startsWith('gnu') || word.startsWith('musl'))
    ? [words.some((word) => word.startsWith('musl')) ? 'musl' : 'glibc']
    : [];
  return { os, cpu, libc };
}

const path = process.argv[2] ?? 'package-lock.json';
const lock = JSON.parse(readFileSync(path, 'utf8'));
const added = [];
for (const [place, { dev, optionalDependencies = {} }] of Object.entries(lock.packages)) {
  if (place === '') continue;
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const key = `node_modules/${name}`;
    const { os, cpu, libc } = getPlatform(name);
    // Only exact versions of packages that are for one platform can be added unseen.
    if (lock.packages[key] || os.length + cpu.length === 0 || !/^\d/.test(version)) continue;
    lock.packages[key] = {
      version,
      ...(cpu.length > 0 && { cpu }),
      ...(dev && { dev }),
      ...(libc.length > 0 && os.includes('linux') && { libc }),
      optional: true,
      ...(os.length > 0 && { os }),
    };
    added.push(`${name}@${version}`);
  }
}
const sorted = Object.entries(lock.packages).toSorted(([a], [b]) => (a < b ? -1 : 1));
lock.packages = Object.fromEntries(sorted);
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
process.stdout.write(`${added.length} packages added\n`);
