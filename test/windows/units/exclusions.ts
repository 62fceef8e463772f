/** Why some unit tests say nothing under node.exe, and which they are. */
export interface Exclusion {
  readonly reason: string;
  /** Below `test`, with how the name of a test begins; the whole file without. */
  readonly tests: readonly (readonly [file: string, ...names: string[]])[];
}

export const EXCLUSIONS: readonly Exclusion[] = [
  {
    reason:
      'the test puts a module in the place of another, for which only Vitest itself has a way',
    tests: [
      ['session/jsonl/files/keep-owner.test.ts'],
      ['batch/run-on-threads.test.ts'],
      ['store/files/short-reads.test.ts'],
    ],
  },
  {
    reason:
      'Windows has no modes: what is made there is for whom the directory is (docs/systems.md)',
    tests: [
      ['session/jsonl/files/access-lists.test.ts'],
      ['session/jsonl/files/keep-access.test.ts'],
      ['store/files/not-there.test.ts'],
      [
        'session/jsonl/write/replace-file.test.ts',
        'replaces, keeps mode and time',
        'is for its owner only, and says so',
      ],
      ['session/jsonl/write/move-file.test.ts', 'moves into a new directory like the old one'],
      ['session/jsonl/write/append-file.test.ts', 'creates the file for its owner only'],
      ['session/jsonl/write/create-file.test.ts', 'creates a private file with its directory'],
      ['session/migrate/migrate-session.test.ts', 'writes elsewhere for its owner only'],
      ['session/validate/fix-session.test.ts', 'keeps the mode of the file'],
      ['store/prune/plan-file.test.ts', 'is read as it was written, and is private'],
      ['store/remove/trash.test.ts', 'moves files and folders across file systems'],
      [
        'store/archive/round-trip.test.ts',
        'never make a file executable',
        'leave the modes of directories',
        'keep what is in the archive from others',
      ],
      ['library/manager/session-manager.test.ts', 'has no file before something is said'],
      ['library/functions/prune.test.ts', 'report each problem in one shard'],
    ],
  },
  {
    reason: 'Wine follows symbolic links, and can neither see nor make them',
    tests: [
      ['session/jsonl/files/identity/same-file.test.ts', 'a link in the last name is refused'],
      ['session/jsonl/files/make-directories.test.ts', 'ends where a directory cannot be made'],
      ['session/jsonl/write/replace-file.test.ts', 'replaces what a symbolic link leads to'],
      ['commands/migrate/migrate.test.ts', 'tells a fork that names its parent past a link'],
      ['store/prune/prompt-history.test.ts', 'ends the run where the list cannot be looked up'],
      ['store/database/read-database.test.ts', 'reads nothing where a file beside the database'],
      [
        'session/jsonl/write/move-file.test.ts',
        'keeps a file whose new directory is a link',
        'takes it from a link that leads nowhere',
        'never takes its name from a link',
        'keeps a directory whose new place is a link',
      ],
      ['session/jsonl/write/create-file.test.ts', 'never writes over what is there, not even over'],
      ['store/prune/late-forks.test.ts', 'is kept where one comes to a day that a link leads to'],
      ['session/jsonl/write/append-planned.test.ts', 'keeps the mode, and a symbolic link'],
      ['session/migrate/migrate-session.test.ts', 'keeps the old file, not a link'],
      [
        'commands/migrate/migrate-sidecars.test.ts',
        'leaves it where it is if its file meets a link',
      ],
      [
        'store/archive/round-trip.test.ts',
        'to follow a link where the session was',
        'to write through a link',
      ],
      ['store/archive/hostile.test.ts'],
      ['store/database/read-database.test.ts', 'reads what is in the log beside the database that'],
      ['store/output/hold-directory.test.ts', 'does nothing where a link', 'refuses a link'],
      [
        'store/remove/move-session.test.ts',
        'moves nothing out of a directory that was put in',
        'reports as left what it cannot know',
      ],
      [
        'store/remove/trash.test.ts',
        'moves nothing across that holds a link',
        'follows a link in the place',
      ],
      ['cli/config/config.test.ts', 'when a link leads nowhere'],
      ['store/sessions/search-names.test.ts', 'follows links'],
      ['store/sessions/refuse-session-folder.test.ts', 'a link does not hide'],
      ['library/functions/prune.test.ts', 'keep a session that its agent finds over a link'],
      ['library/manager/session-manager.test.ts', 'stays behind its symbolic link'],
    ],
  },
  {
    reason:
      'nothing takes the name of a file that is open (docs/systems.md): held.test.ts is about that',
    tests: [
      [
        'session/jsonl/write/rewrite.test.ts',
        'are carried over, before and after',
        'are carried over when half of them',
        'are carried over when the run is stopped',
      ],
      ['session/jsonl/write/replace-file.test.ts', 'gives up when the file is replaced while'],
      ['session/validate/refused-results.test.ts', 'hangs a line that comes after the plan'],
      ['store/archive/rebuild-index.test.ts'],
    ],
  },
  {
    reason:
      'the tests are in 2127, and Node sets times of files there until 2106 (seconds of 32 bits)',
    tests: [['store/archive/order-states.test.ts']],
  },
  {
    reason: 'libuv 1.46 sets times in steps of 1.6 microseconds there, and none before 1970',
    tests: [
      ['session/jsonl/files/identity/file-stamp.test.ts', 'gives a file the very time of another'],
      ['session/jsonl/write/replace-file.test.ts', 'keeps a time before 1970'],
      [
        'store/archive/round-trip.test.ts',
        'give back every byte, mode and mtime',
        'bring back what a crash took',
      ],
    ],
  },
  {
    reason:
      'the paths in the test are those of POSIX: places.test.ts and cross.test.ts have those of Windows',
    tests: [
      ['session/model/paths.test.ts', '. stands for', 'api stands for', '/etc', '\\\\srv', '/s/'],
      ['store/settings/own-directories.test.ts'],
      ['commands/prune/prune-directories.test.ts', 'is not gone where systems mount them'],
      ['store/archive/other-system.test.ts'],
      ['session/migrate/relocation.test.ts'],
      ['store/remove/trash.test.ts', 'goes to the trash in the home directory'],
      ['cli/config/config.test.ts', 'is where XDG has it', 'is shown to people too'],
      ['library/stores.test.ts', 'copies every entry, byte for byte', 'looks into the directories'],
      ['library/manager/session-manager.test.ts', 'is where pi would put it'],
      ['session/prune/never-removed.test.ts', 'which a backslash in a name is not'],
    ],
  },
  {
    reason: 'Wine counts processor time in steps too long to compare',
    tests: [['session/model/tree/lineage.test.ts', 'are walked once each, in time']],
  },
  {
    reason: 'a name that is too long is not there, on Windows',
    tests: [['store/output/image-files.test.ts', 'names the folder of which it cannot be known']],
  },
  {
    reason: 'the numbers of errors in the test are those of Linux',
    tests: [['session/jsonl/files/file-error.test.ts']],
  },
  {
    reason:
      'Wine opens a directory to write, and does not know the volume of an open file that was renamed',
    tests: [
      ['session/jsonl/write/append-file.test.ts', 'says what is in the way'],
      ['session/validate/fix-session.test.ts', 'when what is taken out cannot be kept'],
      ['library/manager/session-manager.test.ts', 'is migrated in memory, and on disk only'],
    ],
  },
];

/** Folders of unit tests that do not run there, below `test`. */
export const FOLDER_EXCLUSIONS: readonly {
  readonly reason: string;
  readonly folders: readonly string[];
}[] = [
  {
    reason:
      'the commands as a whole: what they print there has paths of Windows, and same-results.test.ts and ' +
      'same-agents.test.ts compare it, and the files, with those of Linux',
    folders: ['commands'],
  },
  {
    reason:
      'they make one value of another, and touch no file, path or process that the others do not',
    folders: ['export', 'report', 'schemas', 'session/agents', 'session/rules'],
  },
  { reason: 'they look at the sources', folders: ['lint'] },
  {
    reason:
      'programs, servers and threads answer through pipes and sockets, for which Node cannot wait under Wine',
    folders: ['batch', 'summarize'],
  },
];
