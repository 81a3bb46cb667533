import { closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { CapstanError } from "@capstan/contract";
import type { LogRow, StorageBackend, StoredState } from "./backend.ts";

/** "CAPS" in ASCII: marks our files among SQLite databases. */
const applicationId = 0x43415053;
const schemaVersion = 2;
const keptRevisions = 10_000;
const compactEvery = 1_000;

const schema = `
  CREATE TABLE change (
    revision INTEGER PRIMARY KEY, store TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    text TEXT, replaces INTEGER, at INTEGER NOT NULL
  );
  CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), compacted INTEGER NOT NULL);
  INSERT INTO state VALUES (1, 1);
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

const flush = promisify(fdatasync);

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause === undefined ? {} : { cause }) });

/** SQLite's primary result code; extended ones carry more in the upper bits. */
const resultCode = (error: unknown): number => ((error as { errcode?: number }).errcode ?? 0) & 0xff;

const openingFailure = (file: string, error: unknown): Error => {
  if (error instanceof CapstanError) {
    return error;
  }
  switch (resultCode(error)) {
    case 5:
    case 6:
      return failure(
        "apiserver.storage_locked",
        "StorageLocked",
        `The data file ${file} is in use by another server. Stop that one, or give this one a file of its own`,
        error,
      );
    case 11:
    case 26:
      return failure(
        "apiserver.storage_corrupt",
        "StorageCorrupt",
        `The data file ${file} is damaged or no data file of this server. Restore it from a backup, or move it away to start empty`,
        error,
      );
    default:
      return failure(
        "apiserver.storage_unavailable",
        "StorageUnavailable",
        `The data file ${file} cannot be opened: ${error instanceof Error ? error.message : String(error)}`,
        error,
      );
  }
};

const pragma = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

const prepareSchema = (database: DatabaseSync, file: string): void => {
  const id = pragma(database, "application_id");
  const tables = database.prepare("SELECT count(*) AS n FROM sqlite_schema").get();
  if (id === 0 && Number(tables?.["n"]) === 0) {
    database.exec(`BEGIN EXCLUSIVE; ${schema} COMMIT;`);
    return;
  }
  const version = pragma(database, "user_version");
  if (id !== applicationId) {
    throw failure("apiserver.storage_corrupt", "StorageCorrupt", `The file ${file} is a database of another program`);
  }
  if (version !== schemaVersion) {
    throw failure(
      "apiserver.storage_version",
      "StorageVersion",
      `The data file ${file} has format ${version}, this server reads format ${schemaVersion}. Use the release that wrote it`,
    );
  }
  database.exec("BEGIN EXCLUSIVE; COMMIT;");
};

const open = (file: string): DatabaseSync => {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec("PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    prepareSchema(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
};

const logRow = (row: Readonly<Record<string, unknown>>): LogRow =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as unknown as LogRow;

/** A row that no one asks for once all changes up to `from` are forgotten: a replaced state, or a deletion. */
interface ObsoleteRow {
  readonly revision: number;
  readonly from: number;
}

const obsoleteBy = ({ revision, text, replaces }: LogRow): readonly ObsoleteRow[] => [
  ...(replaces === undefined ? [] : [{ revision: replaces, from: revision }]),
  ...(text === undefined ? [{ revision, from: revision }] : []),
];

class SqliteBackend implements StorageBackend {
  readonly #database: DatabaseSync;
  readonly #file: string;
  /** The write-ahead log, opened once more to flush it. */
  readonly #logFile: number;
  readonly #add: StatementSync;
  readonly #drop: StatementSync;
  /** In order of `from`. */
  #obsolete: ObsoleteRow[] = [];
  #sinceCompaction = 0;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#file = file;
    this.#logFile = openSync(`${file}-wal`, "r+");
    this.#add = database.prepare("INSERT INTO change VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#drop = database.prepare("DELETE FROM change WHERE revision = ?");
  }

  load(): StoredState {
    const state = this.#database.prepare("SELECT compacted FROM state").get();
    const rows = this.#database.prepare("SELECT * FROM change ORDER BY revision").all().map(logRow);
    this.#obsolete = rows.flatMap(obsoleteBy);
    return { revision: rows.at(-1)?.revision ?? 1, compacted: Number(state?.["compacted"]), rows };
  }

  /** SQLite itself does not wait for the disk at a commit; the flush does, without holding up the event loop. */
  async append(rows: readonly LogRow[]): Promise<void> {
    try {
      this.#commit(rows);
      await flush(this.#logFile);
    } catch (error) {
      throw new Error(`the data file ${this.#file} cannot be written: ${(error as Error).message}`, { cause: error });
    }
  }

  #commit(rows: readonly LogRow[]): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const { revision, store, namespace, name, text, replaces, at } of rows) {
        this.#add.run(revision, store, namespace, name, text ?? null, replaces ?? null, at);
      }
      this.#obsolete.push(...rows.flatMap(obsoleteBy));
      this.#compact(rows);
      this.#database.exec("COMMIT");
    } catch (error) {
      if (this.#database.isTransaction) {
        this.#database.exec("ROLLBACK");
      }
      throw error;
    }
  }

  close(): void {
    closeSync(this.#logFile);
    this.#database.close();
  }

  #compact(rows: readonly LogRow[]): void {
    this.#sinceCompaction += rows.length;
    const limit = (rows.at(-1)?.revision ?? 0) - keptRevisions;
    if (this.#sinceCompaction < compactEvery || limit <= 0) {
      return;
    }
    this.#sinceCompaction = 0;
    const firstNeeded = this.#obsolete.findIndex(({ from }) => from > limit);
    for (const { revision } of this.#obsolete.splice(0, firstNeeded === -1 ? this.#obsolete.length : firstNeeded)) {
      this.#drop.run(revision);
    }
    this.#database.prepare("UPDATE state SET compacted = ?").run(limit);
  }
}

/**
 * One SQLite file with one row for each change: the one that made each living object and at least the last 10,000. The file is locked
 * while it is open.
 * Throws `apiserver.storage_locked`, `apiserver.storage_corrupt`, `apiserver.storage_version` or `apiserver.storage_unavailable`.
 */
export const sqliteBackend = (file: string): StorageBackend => {
  try {
    const backend = new SqliteBackend(open(file), file);
    return {
      load: () => {
        try {
          return backend.load();
        } catch (error) {
          backend.close();
          throw openingFailure(file, error);
        }
      },
      append: (rows) => backend.append(rows),
      close: () => backend.close(),
    };
  } catch (error) {
    throw openingFailure(file, error);
  }
};
