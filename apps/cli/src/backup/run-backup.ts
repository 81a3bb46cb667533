import { existsSync, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { CapstanError } from "@capstan/contract";
import { countNoun } from "@capstan/kube-values";
import { cryptoRandom, systemClock } from "@capstan/runtime";
import { runCommand } from "../run-command.ts";
import { loggerFor } from "../terminal.ts";
import { writeFileAtomically } from "../write-file.ts";
import { servedElsewhere } from "./api-kinds.ts";
import type { BackupOptions, RestoreCommandOptions } from "./backup-commands.ts";
import { decodeBackup, encodeBackup } from "./backup-file.ts";
import {
  dataFile,
  openDataFolderApi,
  openKubeconfig,
  providedKinds,
  readIdentity,
  type ApiEnvironment,
} from "./open-api.ts";
import { restoreDataFolder } from "./restore-data-folder.ts";
import { restore } from "./restore.ts";
import type { Restored } from "./restore-options.ts";
import { takeBackup } from "./take-backup.ts";
import { whyUnreadable } from "../file-words.ts";

interface Environment extends ApiEnvironment {
  readonly signal: AbortSignal;
  readonly write: (line: string) => void;
}

const toStandardOutput = (bytes: Uint8Array): Promise<void> =>
  new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error === null || error === undefined ? resolve() : reject(error)));
  });

/** Takes a backup and writes its file; nothing is written before everything is read. */
export const backUp = async (options: BackupOptions, environment: Environment): Promise<void> => {
  const { kubeconfig, dataDir, output } = options;
  const api =
    kubeconfig === undefined
      ? await openDataFolderApi(dataDir, environment)
      : await openKubeconfig(kubeconfig, environment);
  try {
    const taken = await takeBackup(api.client, environment);
    const elsewhere = await servedElsewhere(api.client, environment.signal);
    const identity = kubeconfig === undefined ? readIdentity(dataFile(dataDir)) : undefined;
    const backup = { ...taken, ...(identity === undefined ? {} : { identity }) };
    environment.signal.throwIfAborted();
    const isPiped = output === "-";
    const former = !isPiped && existsSync(output) ? ", replacing the previous file" : "";
    if (isPiped) await toStandardOutput(encodeBackup(backup));
    else writeFileAtomically(output, encodeBackup(backup), "output");
    environment.write(
      `${countNoun(backup.entries.length, "object")} at resourceVersion ${backup.resourceVersion} ${backup.entries.length === 1 ? "is" : "are"} in ${isPiped ? "the output" : output}${former}`,
    );
    if (elsewhere.length > 0) {
      environment.write(`Objects of ${elsewhere.join(", ")} are not included: other servers store them.`);
    }
    const keys = identity === undefined ? "" : " and the server's own keys";
    environment.write(`It contains Secrets${keys} in plain text: store it where only you can read it.`);
  } finally {
    await api.close();
  }
};

const readBackupFile = async (path: string): Promise<Buffer> => {
  try {
    return path === "-" ? await buffer(process.stdin) : readFileSync(path);
  } catch (error) {
    throw new CapstanError({
      code: "backup.unreadable",
      reason: "BackupUnreadable",
      message: `-f ${path}: ${whyUnreadable(error)}; name a file that capstan backup wrote`,
      retry: { kind: "never" },
      cause: error,
    });
  }
};

const flagsDoNotFit = (message: string): CapstanError =>
  new CapstanError({ code: "restore.flag_invalid", reason: "FlagInvalid", message, retry: { kind: "never" } });

const checkFlags = ({ kubeconfig, merge, force, newUids }: RestoreCommandOptions): void => {
  if (kubeconfig === undefined && (merge || newUids)) {
    throw flagsDoNotFit(
      `${merge ? "--merge" : "--new-uids"} applies to a running server: add --kubeconfig; a data folder is always restored in full`,
    );
  }
  if (kubeconfig !== undefined && force) {
    throw flagsDoNotFit(
      "--force applies to a data folder; with a running server, use --merge to keep existing objects",
    );
  }
};

const restoreAt = async (
  options: RestoreCommandOptions,
  environment: Environment,
): Promise<Restored & { readonly replacedState?: string }> => {
  checkFlags(options);
  const backup = decodeBackup(await readBackupFile(options.file), options.file);
  if (options.kubeconfig === undefined) {
    return await restoreDataFolder(options.dataDir, backup, { force: options.force, ...environment });
  }
  const api = await openKubeconfig(options.kubeconfig, environment);
  try {
    return await restore(api.client, backup, {
      ...environment,
      kinds: await providedKinds(environment),
      existing: options.merge ? "keep" : "refuse",
      live: true,
      ...(options.newUids ? { keepUids: false } : {}),
    });
  } finally {
    await api.close();
  }
};

/** Restores a backup and says what became of it. */
export const restoreBackup = async (options: RestoreCommandOptions, environment: Environment): Promise<void> => {
  const { write } = environment;
  const { created, replaced, kept, skipped, keptUids, warnings, replacedState } = await restoreAt(options, environment);
  const uids = keptUids ? "with their original uids" : "with new uids";
  write(
    `restored ${created + replaced} objects ${uids}; ${kept} kept, ${skipped} left to the target, which creates them itself`,
  );
  if (replacedState !== undefined) write(`the previous state is in ${replacedState}`);
  for (const warning of warnings) write(`warning: ${warning}`);
};

const interruptible = (
  logLevel: BackupOptions["logLevel"],
  work: (environment: Environment) => Promise<void>,
  lines: Pick<NodeJS.WriteStream, "write"> = process.stdout,
): Promise<number> =>
  runCommand({ interrupted: 130 }, async (signal) => {
    const write = (line: string): void => void lines.write(`${line}\n`);
    const log = loggerFor({ logLevel, output: "text" });
    await work({ clock: systemClock, random: cryptoRandom, log, signal, write, variables: process.env });
    return 0;
  });

/** `capstan backup`: resolves to the exit status. */
export const runBackup = (options: BackupOptions): Promise<number> =>
  interruptible(
    options.logLevel,
    (environment) => backUp(options, environment),
    options.output === "-" ? process.stderr : process.stdout,
  );

/** `capstan restore`: resolves to the exit status. */
export const runRestore = (options: RestoreCommandOptions): Promise<number> =>
  interruptible(options.logLevel, (environment) => restoreBackup(options, environment));
