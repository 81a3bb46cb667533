import {
  auditLines,
  auditLogFile,
  readAuditPolicy,
  type AuditLogFileOptions,
  type AuditOptions,
  type AuditPolicy,
  type AuditSink,
} from "@capstan/apiserver";
import { CapstanError, isCapstanError, type Clock, type Logger } from "@capstan/contract";
import { readYamlValue, YamlError } from "@capstan/kube-values/yaml";
import type { ApiserverOptions } from "./apiserver-options.ts";
import { whyUnwritable } from "../file-words.ts";
import { flagError, readFlagFile } from "./server-files.ts";

const standardOutput = (): AuditSink => auditLines((line) => void process.stdout.write(line));

/** Runs `work` and prefixes the message of a failure with the flag. */
const atFlag = <T>(flag: string, work: () => T): T => {
  try {
    return work();
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const { code, reason, retry, message } = error;
    throw new CapstanError({ code, reason, retry, message: `${flag}: ${message}`, cause: error });
  }
};

const policyOf = (path: string): AuditPolicy => {
  const text = readFlagFile({ flag: "audit-policy-file", path });
  let document: unknown;
  try {
    document = readYamlValue(text);
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    throw flagError(`--audit-policy-file ${path}:${error.line ?? 1}: ${error.message}`);
  }
  return atFlag(`--audit-policy-file ${path}`, () => readAuditPolicy(document));
};

const logFile = (options: AuditLogFileOptions): AuditSink => {
  const { path } = options;
  if (path.trim() === "") throw flagError("--audit-log-path: must name a file, or - for standard output; it is empty");
  try {
    return auditLogFile(options);
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    const { code, reason, retry, cause } = error;
    const why = whyUnwritable(cause, path);
    const message = `--audit-log-path ${path}: ${why}; choose a file in an existing, writable folder`;
    throw new CapstanError({ code, reason, retry, message, cause: error });
  }
};

/** The audit log that the flags want; `undefined` for none. */
export const auditOptions = (
  options: ApiserverOptions,
  environment: { readonly clock: Clock; readonly log: Logger },
): AuditOptions | undefined => {
  const { auditLogPath: path, auditPolicyFile } = options;
  if (path === undefined) {
    if (auditPolicyFile === undefined) return undefined;
    throw flagError("--audit-policy-file requires --audit-log-path");
  }
  const policy = auditPolicyFile === undefined ? {} : { policy: policyOf(auditPolicyFile) };
  if (path === "-") return { sink: standardOutput(), ...policy };
  const sink = logFile({
    path,
    maxSizeMiB: options.auditLogMaxsize,
    maxBackups: options.auditLogMaxbackup,
    maxAgeDays: options.auditLogMaxage,
    ...environment,
  });
  return { sink, ...policy };
};
