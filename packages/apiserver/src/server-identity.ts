import { randomUUID } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { CapstanError, type Logger } from "@capstan/contract";
import {
  type CertificateAndKey,
  createCertificateAuthority,
  createServiceAccountKeys,
  type ServiceAccountKeys,
} from "@capstan/pki";

/** State of the data file next to an identity, to detect the loss of a part of it. */
interface KnownStorage {
  /** The data file had at least this revision. */
  readonly revision: number;
  /** A server has not closed it: changes may be in its write-ahead log alone. */
  readonly open: boolean;
}

/** Data that must stay the same when a server restarts, so that kubeconfigs and tokens remain valid. */
export interface ServerIdentity {
  readonly authority: CertificateAndKey;
  readonly serviceAccountKeys: ServiceAccountKeys;
  /** Absent until a server has opened the data file. */
  readonly storage?: KnownStorage;
}

const create = async (now: number): Promise<ServerIdentity> => {
  const [authority, serviceAccountKeys] = await Promise.all([
    // A name of its own: of two trusted authorities with one name, TLS looks at the first alone.
    createCertificateAuthority({ now, algorithm: "ECDSA-P256", commonName: `capstan-${randomUUID()}` }),
    createServiceAccountKeys("RSA-2048"),
  ]);
  return { authority, serviceAccountKeys };
};

const identityFile = (dataFile: string): string => `${dataFile}.identity.json`;

const failure = (code: string, reason: string, message: string, cause?: unknown): CapstanError =>
  new CapstanError({ code, reason, message, retry: { kind: "never" }, ...(cause === undefined ? {} : { cause }) });

const isIdentity = (value: unknown): value is ServerIdentity => {
  const { authority, serviceAccountKeys } = (value ?? {}) as Partial<ServerIdentity>;
  return typeof authority?.certificate === "string" && typeof serviceAccountKeys?.privateKey === "string";
};

const corrupt = (file: string, what: string, cause?: unknown): CapstanError =>
  failure(
    "apiserver.identity_corrupt",
    "IdentityCorrupt",
    `The file ${file} (certificate authority and token keys of the server) is ${what}. Restore it from a backup, or move it and the data file away to start empty: every earlier kubeconfig and token is then invalid`,
    cause,
  );

const read = (file: string): ServerIdentity | undefined => {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) {
    return undefined;
  }
  // Opening a pipe would wait forever.
  if (!found.isFile()) {
    throw corrupt(file, "not a regular file");
  }
  const text = readFileSync(file, "utf8");
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(text);
    if (isIdentity(value)) {
      return value;
    }
  } catch (error) {
    cause = error;
  }
  throw corrupt(file, text === "" ? "empty" : "damaged", cause);
};

/** Whole or not at all, whenever the machine dies. */
const write = (file: string, identity: ServerIdentity): void => {
  const draft = `${file}.part`;
  const handle = openSync(draft, "w", 0o600);
  try {
    // Not `writeSync`: on a disk that is nearly full it writes a part and says so by a number alone.
    writeFileSync(handle, `${JSON.stringify(identity, null, 2)}\n`);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(draft, file);
};

const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

const databaseBegins = "SQLite format 3\0";

const isDatabase = (file: string): boolean => {
  const handle = openSync(file, "r");
  try {
    const head = Buffer.alloc(databaseBegins.length);
    readSync(handle, head, 0, head.length, 0);
    return head.toString("latin1") === databaseBegins;
  } finally {
    closeSync(handle);
  }
};

/** Refuses to continue with a part of what was there: the server would start empty, or older than its clients. */
const checkDataFile = (dataFile: string, { storage }: ServerIdentity): void => {
  if (storage === undefined) {
    return;
  }
  if (sizeOf(dataFile) === 0) {
    const what = existsSync(dataFile) ? "empty" : "missing";
    throw failure(
      "apiserver.storage_missing",
      "StorageMissing",
      `The data file ${dataFile} is ${what}, though ${identityFile(dataFile)} beside it says that there was one. Restore it from a backup, or move that file away too to start empty`,
    );
  }
  if (storage.open && !existsSync(`${dataFile}-wal`)) {
    throw failure(
      "apiserver.storage_missing",
      "StorageMissing",
      `The file ${dataFile}-wal is missing: it has the latest changes of ${dataFile}, which was not closed. Put it back, restore the folder from a backup, or move all of its files away to start empty`,
    );
  }
};

/** A new identity, or for a data file the one kept beside it (mode 0600). */
export const serverIdentity = async (now: number, dataFile: string | undefined): Promise<ServerIdentity> => {
  if (dataFile === undefined) {
    return await create(now);
  }
  const file = identityFile(dataFile);
  const known = read(file);
  if (known !== undefined) {
    checkDataFile(dataFile, known);
    return known;
  }
  if (sizeOf(dataFile) > 0) {
    if (!isDatabase(dataFile)) {
      // Nothing is put beside what is not ours; it is refused when it is opened.
      return await create(now);
    }
    throw failure(
      "apiserver.identity_missing",
      "IdentityMissing",
      `The file ${file} (certificate authority and token keys of the server) is missing beside ${dataFile}. Put it back, or restore the folder from a backup: with a new one every kubeconfig and token would be void`,
    );
  }
  const made = await create(now);
  mkdirSync(dirname(file), { recursive: true });
  write(file, made);
  return made;
};

/** Notes beside the data file how far it is. Throws when it is not as far as it has been: its write-ahead log was lost, or it is a copy. */
export const noteOpened = (dataFile: string, identity: ServerIdentity, revision: number): void => {
  const before = identity.storage?.revision ?? 0;
  if (revision < before) {
    throw failure(
      "apiserver.storage_missing",
      "StorageMissing",
      `The data file ${dataFile} ends at revision ${revision}, and has been at ${before}: it is an older copy, or its write-ahead log is lost. Put the newer one back, or restore the folder from a backup`,
    );
  }
  write(identityFile(dataFile), { ...identity, storage: { revision, open: true } });
};

/** Notes that everything up to the revision is in the data file, just before it is closed; a crash before that changes nothing. */
export const noteClosing = (dataFile: string, identity: ServerIdentity, revision: number): void =>
  write(identityFile(dataFile), { ...identity, storage: { revision, open: false } });

const others = 0o077;

/** Says so when other users of the machine can read the data: they hold every Secret. */
export const warnOfReaders = (dataFile: string, log: Logger): void => {
  const folder = dirname(dataFile);
  const isOpen = [folder, dataFile].every(
    (path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & others) !== 0,
  );
  if (process.platform !== "win32" && isOpen) {
    log.warn("other users can read the data of the server, with all Secrets; take their rights away: chmod 700", {
      folder,
    });
  }
};
