import { closeSync, fdatasync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type StatementSync } from "node:sqlite";
import { promisify } from "node:util";
import { CapstanError } from "@capstan/contract";
import type { LogRow, ObjectRow, StorageBackend, StoredState } from "./backend.ts";

/** "CAPS" in ASCII: marks our files among SQLite databases. */
const applicationId = 0x43415053;
const schemaVersion = 1;
const keptRevisions = 10_000;
const compactEvery = 1_000;

const schema = `
  CREATE TABLE object (
    store TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL, revision INTEGER NOT NULL, text TEXT NOT NULL,
    PRIMARY KEY (store, namespace, name)
  ) WITHOUT ROWID;
  CREATE TABLE log (
    revision INTEGER PRIMARY KEY, store TEXT NOT NULL, namespace TEXT NOT NULL, name TEXT NOT NULL,
    text TEXT, previous TEXT, at INTEGER NOT NULL
  );
  CREATE TABLE state (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL, compacted INTEGER NOT NULL);
  INSERT INTO state VALUES (1, 1, 1);
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

class SqliteBackend implements StorageBackend {
  readonly #database: DatabaseSync;
  /** The write-ahead log, opened once more to flush it. */
  readonly #logFile: number;
  readonly #putObject: StatementSync;
  readonly #dropObject: StatementSync;
  readonly #addLog: StatementSync;
  readonly #setRevision: StatementSync;
  #sinceCompaction = 0;

  constructor(database: DatabaseSync, file: string) {
    this.#database = database;
    this.#logFile = openSync(`${file}-wal`, "r+");
    this.#putObject = database.prepare("INSERT OR REPLACE INTO object VALUES (?, ?, ?, ?, ?)");
    this.#dropObject = database.prepare("DELETE FROM object WHERE store = ? AND namespace = ? AND name = ?");
    this.#addLog = database.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?, ?)");
    this.#setRevision = database.prepare("UPDATE state SET revision = ?");
  }

  load(): StoredState {
    const state = this.#database.prepare("SELECT revision, compacted FROM state").get();
    const objects = this.#database.prepare("SELECT store, namespace, name, revision, text FROM object").all();
    const log = this.#database.prepare("SELECT * FROM log ORDER BY revision").all();
    return {
      revision: Number(state?.["revision"]),
      compacted: Number(state?.["compacted"]),
      objects: objects as unknown as ObjectRow[],
      log: log.map(logRow),
    };
  }

  /** SQLite itself does not wait for the disk at a commit; the flush does, without holding up the event loop. */
  async append(rows: readonly LogRow[]): Promise<void> {
    this.#commit(rows);
    await flush(this.#logFile);
  }

  #commit(rows: readonly LogRow[]): void {
    this.#database.exec("BEGIN IMMEDIATE");
    try {
      for (const row of rows) {
        this.#write(row);
      }
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

  #write(row: LogRow): void {
    const { store, namespace, name, revision } = row;
    this.#addLog.run(revision, store, namespace, name, row.text ?? null, row.previous ?? null, row.at);
    if (row.text === undefined) {
      this.#dropObject.run(store, namespace, name);
    } else {
      this.#putObject.run(store, namespace, name, revision, row.text);
    }
  }

  #compact(rows: readonly LogRow[]): void {
    const revision = rows.at(-1)?.revision ?? 0;
    this.#setRevision.run(revision);
    this.#sinceCompaction += rows.length;
    if (this.#sinceCompaction >= compactEvery && revision > keptRevisions) {
      this.#sinceCompaction = 0;
      this.#database.prepare("DELETE FROM log WHERE revision <= ?").run(revision - keptRevisions);
      this.#database.prepare("UPDATE state SET compacted = ?").run(revision - keptRevisions);
    }
  }
}

/**
 * One SQLite file: a table of living objects and a log of the last 10,000 changes. The file is locked while it is open.
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
