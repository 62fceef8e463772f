import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/** Debian keeps daemons where the PATH of a user does not lead. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;
const NODES = ['node1', 'node2'];

let root: string | undefined;
const daemons: ChildProcess[] = [];

/**
 * A Slurm of its own: controller and two nodes of one machine, on loopback, without systemd. Everything it
 * writes is below one directory; its daemons end with this process, whatever ends it.
 */
export async function setup(): Promise<void> {
  root = mkdtempSync(join(tmpdir(), 'coppice-slurm-'));
  try {
    await start(root);
  } catch (error) {
    const logs = readLogs(root);
    await teardown();
    throw new Error(`Slurm does not start; ${logs}`, { cause: error });
  }
}

async function start(dir: string): Promise<void> {
  for (const name of ['munge', 'state', 'log', ...NODES]) {
    mkdirSync(join(dir, name), { mode: 0o755 });
  }
  const munge = join(dir, 'munge');
  const key = join(munge, 'key');
  writeFileSync(key, randomBytes(1024), { mode: 0o400 });
  const conf = join(dir, 'slurm.conf');
  writeFileSync(conf, toConfiguration(dir, await findPorts(1 + NODES.length)), { mode: 0o644 });
  // By the second name tests know it: of others they see nothing.
  Object.assign(process.env, { SLURM_CONF: conf, COPPICE_SLURM_CONF: conf, PATH });
  const files = { 'key-file': key, socket: join(munge, 'socket'), 'pid-file': join(munge, 'pid') };
  const others = { 'log-file': join(munge, 'log'), 'seed-file': join(munge, 'seed') };
  const options = Object.entries({ ...files, ...others }).map(
    ([name, path]) => `--${name}=${path}`,
  );
  run(dir, 'munged', ['--foreground', '--force', '--origin=127.0.0.1', ...options]);
  await until('munge', () =>
    execFileSync('munge', ['-n', `--socket=${join(munge, 'socket')}`], { stdio: 'pipe' }),
  );
  run(dir, 'slurmctld', ['-D', '-c']);
  for (const node of NODES) run(dir, 'slurmd', ['-D', '-N', node]);
  await until('both nodes', () => {
    const idle = execFileSync('sinfo', ['--noheader', '--Node', '--states=idle'], {
      stdio: 'pipe',
    });
    if (idle.toString().trim().split('\n').length < NODES.length) throw new Error('not idle yet');
  });
}

function toConfiguration(dir: string, [ctld = 0, ...ports]: readonly number[]): string {
  const [host = 'localhost'] = hostname().split('.');
  const user = userInfo().username;
  return `ClusterName=coppice
SlurmctldHost=${host}(127.0.0.1)
SlurmctldPort=${ctld}
SlurmUser=${user}
SlurmdUser=${user}
AuthType=auth/munge
AuthInfo=socket=${join(dir, 'munge/socket')}
CredType=cred/munge
StateSaveLocation=${join(dir, 'state')}
SlurmctldPidFile=${join(dir, 'slurmctld.pid')}
SlurmctldLogFile=${join(dir, 'log/slurmctld')}
SlurmdPidFile=${join(dir, '%n.pid')}
SlurmdLogFile=${join(dir, 'log/%n')}
SlurmdSpoolDir=${join(dir, '%n')}
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MailProg=/bin/true
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,batch_sched_delay=0
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
KillWait=1
MinJobAge=3600
SlurmdTimeout=3600
${NODES.map((node, at) => `NodeName=${node} NodeHostname=${host} NodeAddr=127.0.0.1 Port=${ports[at]} CPUs=2 State=UNKNOWN`).join('\n')}
PartitionName=main Nodes=${NODES.join(',')} Default=YES MaxTime=INFINITE OverSubscribe=NO State=UP
`;
}

/** Its signal when this process is gone is set by the kernel. */
function run(dir: string, program: string, args: readonly string[]): void {
  const log = openSync(join(dir, 'log', `${program}.err`), 'a');
  const child = spawn('setpriv', ['--pdeathsig', 'TERM', program, ...args], {
    stdio: ['ignore', log, log],
    cwd: dir,
    env: { ...process.env, PATH },
  });
  daemons.push(child);
}

/** Ports that nothing listens on: asked for at once, so that they differ. */
async function findPorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.listen(0, '127.0.0.1', () => {
            const address = server.address();
            resolve(typeof address === 'object' ? (address?.port ?? 0) : 0);
          });
        }),
    ),
  );
  for (const server of servers) server.close();
  return ports;
}

/** Tries until it succeeds; on a machine under load that takes long, and it takes no longer than that. */
async function until(what: string, act: () => unknown): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      act();
      return;
    } catch (error) {
      if (daemons.some(({ exitCode }) => exitCode !== null)) throw error;
      if (tries > 1200) throw new Error(`${what}: not after two minutes`, { cause: error });
    }
    await wait(100);
  }
}

function readLogs(dir: string): string {
  return ['munged.err', 'slurmctld.err', 'slurmd.err', 'slurmctld', ...NODES]
    .map((name) => {
      try {
        return `${name}: ${readFileSync(join(dir, 'log', name), 'utf8').slice(-2000)}`;
      } catch {
        return `${name}: nothing`;
      }
    })
    .join('\n');
}

export async function teardown(): Promise<void> {
  try {
    const jobs = ['--user', userInfo().username];
    execFileSync('scancel', jobs, { stdio: 'ignore', timeout: 20_000 });
    await until('the end of all jobs', () => {
      const left = execFileSync('squeue', ['--noheader', ...jobs], {
        stdio: 'pipe',
        timeout: 20_000,
      });
      if (left.length > 0) throw new Error(left.toString());
    });
  } catch {
    // There may be no controller any more.
  }
  for (const daemon of daemons.splice(0).toReversed()) await end(daemon);
  if (root === undefined) return;
  killSteps(root);
  rmSync(root, { recursive: true, force: true });
}

/** What Slurm starts for each task outlives its daemon; it works in the directory of the daemon. */
function killSteps(dir: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      if (readlinkSync(`/proc/${pid}/cwd`).startsWith(dir)) process.kill(Number(pid), 'SIGKILL');
    } catch {
      // It has ended meanwhile, or is another user's.
    }
  }
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise<void>((resolve) => {
    daemon.once('exit', () => resolve());
  });
  daemon.kill('SIGTERM');
  const timer = setTimeout(() => daemon.kill('SIGKILL'), 10_000);
  await ended;
  clearTimeout(timer);
}
