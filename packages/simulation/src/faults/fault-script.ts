import { CapstanError } from "@capstan/contract";
import { parseDurationMs } from "@capstan/kube-values";
import type { Fault, FaultAction } from "./fault.ts";

/**
 * Faults from text, one a line or between semicolons; empty ones and those that begin with `#` are skipped:
 *
 *     line    = method path action [ "@" nth ] [ "x" times ]
 *     method  = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "*"
 *     path    = as in `Fault.path`, or "*" for every one
 *     action  = status [ code ] | "html" [ status ] | "reset" | "lost-answer" | "truncated" [ bytes ]
 *             | "other-answer" body | "delay" duration
 *             | "operation-failed" [ code ] | "operation-vanishes"
 *     duration = as Go writes it: 250ms, 5s, 1m30s
 *     times   = a number, or "*" forever
 *
 * For example `POST /linode/instances 503 x3`, `DELETE /servers/* lost-answer @2`, `* * delay 5s x*`. Throws
 * `simulation.fault_script`, which names the line.
 */
export const parseFaults = (script: string): readonly Fault[] =>
  script
    .split(/[\n;]/)
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map(parseLine);

const methods = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "*"]);

const parseLine = (line: string): Fault => {
  const [method = "", path = "", kind = "", ...rest] = line.split(/\s+/);
  if (!methods.has(method)) throw unreadable(line, `${method} is not a method; * is any`);
  if (path === "") throw unreadable(line, "it names no path; * is any");
  const repetition = rest.filter((word) => /^(?:@|x)(?:\d+|\*)$/.test(word));
  const words = rest.filter((word) => !repetition.includes(word));
  return {
    ...(method === "*" ? {} : { method }),
    ...(path === "*" ? {} : { path }),
    action: actionOf(line, kind, words),
    ...repetitionOf(line, repetition),
  };
};

const repetitionOf = (line: string, words: readonly string[]): Pick<Fault, "nth" | "times"> => {
  const numbers = new Map(words.map((word) => [word[0], word.slice(1)]));
  if (numbers.size < words.length) throw unreadable(line, "@ and x may stand once each");
  const nth = numbers.get("@");
  const times = numbers.get("x");
  if (nth === "*" || nth === "0" || times === "0") throw unreadable(line, "requests are counted from 1");
  return {
    ...(nth === undefined ? {} : { nth: Number(nth) }),
    ...(times === undefined ? {} : { times: times === "*" ? Number.POSITIVE_INFINITY : Number(times) }),
  };
};

/** Form of an action's argument: at most one word after its name. */
const argument = {
  status: /^[1-5]\d\d$/,
  bytes: /^\d+$/,
  code: /^[A-Za-z][\w.]*$/,
} as const;

const actionOf = (line: string, kind: string, words: readonly string[]): FaultAction => {
  const [word, ...more] = words;
  if (more.length > 0) throw unreadable(line, `it goes on with ${more.join(" ")}`);
  const given = <T>(pattern: RegExp, what: string, read: (text: string) => T): T | undefined => {
    if (word === undefined) return undefined;
    if (!pattern.test(word)) throw unreadable(line, `${word} is not a ${what}`);
    return read(word);
  };
  const none = (): void => void given(/^$/, "part of it", String);
  const code = () => given(argument.code, "code", (text) => ({ code: text })) ?? {};
  if (argument.status.test(kind)) return { kind: "status", status: Number(kind), ...code() };
  switch (kind) {
    case "html":
      return { kind, ...given(argument.status, "status", (text) => ({ status: Number(text) })) };
    case "truncated":
      return { kind, ...given(argument.bytes, "number of bytes", (text) => ({ bytes: Number(text) })) };
    case "other-answer":
      if (word === undefined) throw unreadable(line, 'other-answer takes a body without spaces such as {"id":"abc"}');
      return { kind, body: word };
    case "delay": {
      const ms = parseDurationMs(word ?? "") ?? -1;
      if (ms < 0) throw unreadable(line, "delay takes a duration such as 250ms, 5s or 2m");
      return { kind, ms };
    }
    case "operation-failed":
      return { kind, ...code() };
    case "reset":
    case "lost-answer":
    case "operation-vanishes":
      none();
      return { kind };
    default:
      throw unreadable(line, kind === "" ? "it has no action" : `${kind} is neither a status nor an action`);
  }
};

const unreadable = (line: string, why: string): CapstanError =>
  new CapstanError({
    code: "simulation.fault_script",
    reason: "FaultScriptInvalid",
    message: `The fault "${line}" cannot be read: ${why}. Write for example: POST /servers 503 x3`,
    retry: { kind: "never" },
  });
