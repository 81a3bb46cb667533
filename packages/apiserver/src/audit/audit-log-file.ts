import { closeSync, openSync } from "node:fs";
import { type FileHandle, open, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { CapstanError, type Clock, type Logger } from "@capstan/contract";
import type { AuditEvent, AuditSink } from "./audit-event.ts";
import { EventTexts } from "./event-texts.ts";

const megabyte = 1024 * 1024;
const dayMs = 86_400_000;
/** Events that wait for the disk, those that are being written among them; what comes on top is lost, and counted. */
const maximumWaiting = 32 * megabyte;
/** Maximum number of bytes in one write, unless a single event is larger. */
const portionBytes = megabyte;

export interface AuditLogFileOptions {
  readonly path: string;
  /** Size at which a new file is begun, in MiB. Default 100. */
  readonly maxSizeMiB?: number;
  /** Older files that are kept. Default 0: all. */
  readonly maxBackups?: number;
  /** Age up to which older files are kept, in days. Default 0: forever. */
  readonly maxAgeDays?: number;
  readonly clock: Clock;
  readonly log: Logger;
}

class AuditLogFile implements AuditSink {
  readonly #options: AuditLogFileOptions;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #lost = 0;
  #writing: Promise<void> | undefined;
  readonly #texts = new EventTexts((text) => this.#add(text));
  #file: FileHandle | undefined;
  #size = 0;
  /** When the last full file was put aside. */
  #rotated = 0;

  constructor(options: AuditLogFileOptions) {
    this.#options = options;
  }

  write(event: AuditEvent): void | Promise<void> {
    return this.#texts.write(event);
  }

  #add(text: string): void {
    const line = Buffer.from(`${text}\n`);
    if (this.#waitingBytes + line.length > maximumWaiting) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#waitingBytes += line.length;
    this.#writing ??= this.#drain().finally(() => {
      this.#writing = undefined;
    });
  }

  async close(): Promise<void> {
    await this.#texts.settled();
    while (this.#writing !== undefined) await this.#writing;
    await this.#file?.close();
    this.#file = undefined;
  }

  /** The events that waited longest, as many as are written at once; at least one. */
  #portion(): readonly Buffer[] {
    let bytes = 0;
    const end = this.#waiting.findIndex((line, index) => {
      bytes += line.length;
      return index > 0 && bytes > portionBytes;
    });
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }

  async #drain(): Promise<void> {
    const { log, path } = this.#options;
    // Events of one turn of the event loop are written together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) {
      const lines = this.#portion();
      try {
        await this.#append(lines);
      } catch (error) {
        this.#lost += lines.length;
        log.error("audit events could not be written", { path, error: String(error) });
        await this.#file?.close().catch(() => undefined);
        this.#file = undefined;
      }
      this.#waitingBytes -= lines.reduce((sum, { length }) => sum + length, 0);
      if (this.#lost > 0) log.error("audit events were lost", { path, events: this.#lost });
      this.#lost = 0;
    }
  }

  async #append(lines: readonly Buffer[]): Promise<void> {
    await this.#opened();
    const limit = (this.#options.maxSizeMiB ?? 100) * megabyte;
    let batch: Buffer[] = [];
    let bytes = 0;
    for (const line of lines) {
      const isFull = this.#size + bytes + line.length > limit && this.#size + bytes > 0;
      if (isFull) {
        await this.#flush(batch, bytes);
        await this.#rotate();
        batch = [];
        bytes = 0;
      }
      batch.push(line);
      bytes += line.length;
    }
    await this.#flush(batch, bytes);
  }

  async #opened(): Promise<FileHandle> {
    if (this.#file === undefined) {
      this.#file = await open(this.#options.path, "a", 0o600);
      this.#size = (await this.#file.stat()).size;
    }
    return this.#file;
  }

  async #flush(batch: readonly Buffer[], bytes: number): Promise<void> {
    await (await this.#opened()).appendFile(Buffer.concat(batch));
    this.#size += bytes;
  }

  async #rotate(): Promise<void> {
    const { path, clock } = this.#options;
    await this.#file?.close();
    this.#file = undefined;
    const names = await readdir(dirname(path));
    // Names are in the order of time, also when the clock does not move or was set back.
    const latest = Math.max(this.#rotated, ...names.map((name) => backupTime(path, name) ?? 0));
    this.#rotated = Math.max(clock.now(), latest + 1);
    await rename(path, backupOf(path, this.#rotated));
    this.#size = 0;
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const { path, clock, maxBackups = 0, maxAgeDays = 0 } = this.#options;
    const backups = (await readdir(dirname(path)))
      .flatMap((name) => {
        const at = backupTime(path, name);
        return at === undefined ? [] : [{ name, at }];
      })
      .toSorted((a, b) => b.at - a.at);
    const oldest = maxAgeDays === 0 ? 0 : clock.now() - maxAgeDays * dayMs;
    const kept = maxBackups === 0 ? backups.length : maxBackups;
    for (const { name } of backups.filter(({ at }, index) => index >= kept || at < oldest)) {
      await rm(join(dirname(path), name), { force: true });
    }
  }
}

/** `audit-2026-01-31T10-20-30.456.log` beside `audit.log`. */
const backupOf = (path: string, at: number): string => {
  const end = extname(path);
  const time = new Date(at).toISOString().replaceAll(":", "-").replace("Z", "");
  return join(dirname(path), `${basename(path, end)}-${time}${end}`);
};

const backupTime = (path: string, name: string): number | undefined => {
  const end = extname(path);
  const start = `${basename(path, end)}-`;
  if (!name.startsWith(start) || !name.endsWith(end)) return undefined;
  const time = /^(\d{4}-\d\d-\d\dT)(\d\d)-(\d\d)-(\d\d\.\d{3})$/.exec(
    name.slice(start.length, name.length - end.length),
  );
  if (time === null) return undefined;
  const [, day = "", hours = "", minutes = "", seconds = ""] = time;
  return Date.parse(`${day}${hours}:${minutes}:${seconds}Z`);
};

/**
 * Appends events to a file, one JSON object a line, readable by its owner alone. Writing never holds up a request; what the disk is too
 * slow for (32 MiB) is lost, and the loss logged. Throws `apiserver.audit_log_unwritable` when the file cannot be opened.
 */
export const auditLogFile = (options: AuditLogFileOptions): AuditSink => {
  try {
    closeSync(openSync(options.path, "a", 0o600));
  } catch (error) {
    throw new CapstanError({
      code: "apiserver.audit_log_unwritable",
      reason: "AuditLogUnwritable",
      message: `The audit log ${options.path} cannot be written: ${(error as Error).message}. Choose a file in a folder that exists and may be written`,
      retry: { kind: "never" },
      cause: error,
    });
  }
  return new AuditLogFile(options);
};
