import type { Logger } from "@capstan/contract";
import { plainLines, plainText } from "@capstan/kube-values";
import { type DestinationStream, type Logger as Pino, pino } from "pino";

export type LogLevel = "debug" | "info" | "warn" | "error" | "silent";

export interface LoggerOptions {
  /** Default `info`. */
  readonly level?: LogLevel;
  /** `json`: one object per line. `text`: for people. Default `json`. */
  readonly format?: "json" | "text";
  /** Where lines go. Default: standard error. */
  readonly write?: (line: string) => void;
}

/** Fields whose values never reach the log, wherever they appear at the top or one level below. */
const secretFields = ["password", "token", "authorization", "privateKey", "clientKey", "kubeconfig", "userData"];

/** Made when the first line is written: most reconciles write none. */
const wrap = (make: () => Pino): Logger => {
  let logger: Pino | undefined;
  const at =
    (level: "debug" | "info" | "warn" | "error") =>
    (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
      const { error, ...rest } = fields;
      logger ??= make();
      logger[level](error instanceof Error ? { ...rest, err: error } : fields, message);
    };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (fields) => wrap(() => (logger ??= make()).child({ ...fields })),
  };
};

const textOf = (line: string): string => {
  const { level, time, msg, err, ...fields } = JSON.parse(line) as Record<string, unknown>;
  const pairs = Object.entries(fields).map(
    ([name, value]) => `${name}=${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  const stack = (err as { stack?: string } | undefined)?.stack;
  const head = `${String(time)} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}`;
  return `${plainText([head, ...pairs].join(" "))}${stack === undefined ? "" : `\n${plainLines(stack)}`}\n`;
};

/** A logger on pino. Errors under the field `error` are written with their stack and cause. */
export const createLogger = (options: LoggerOptions = {}): Logger => {
  const { level = "info", format = "json" } = options;
  const write = options.write ?? ((line: string) => void process.stderr.write(line));
  const stream: DestinationStream = { write: format === "text" ? (line) => write(textOf(line)) : write };
  return wrap(() =>
    pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
        redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: "[redacted]" },
        serializers: { err: pino.stdSerializers.errWithCause },
      },
      stream,
    ),
  );
};
