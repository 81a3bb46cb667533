import { deviceText } from "./devices.ts";
import type { Expander } from "./expand.ts";
import { type Descriptor, Input, type Session, type Streams } from "./session.ts";
import type { Redirect } from "./syntax.ts";

/** The streams of a command as a table of descriptors. */
const tableOf = ({ err, input, more, out }: Streams): Map<number, Descriptor> =>
  new Map<number, Descriptor>([[0, { input }], [1, { write: out }], [2, { write: err }], ...(more ?? [])]);

const nothing = (): void => undefined;

const streamsOf = (table: ReadonlyMap<number, Descriptor>): Streams => ({
  input: table.get(0)?.input ?? new Input(),
  out: table.get(1)?.write ?? nothing,
  err: table.get(2)?.write ?? nothing,
  more: new Map([...table].filter(([descriptor]) => descriptor > 2)),
});

/** Descriptors by the devices that stand for them. */
const standard: Readonly<Record<string, number>> = {
  "/dev/stdin": 0,
  "/dev/stdout": 1,
  "/dev/stderr": 2,
  "/dev/console": 1,
  "/proc/self/fd/1": 1,
  "/proc/self/fd/2": 2,
  "/proc/1/fd/1": 1,
  "/proc/1/fd/2": 2,
};

const numberOf = (path: string): number | undefined => (Object.hasOwn(standard, path) ? standard[path] : undefined);

/** Puts what is written where a path says; `undefined`: the file cannot be written. */
const writer = (
  path: string,
  appends: boolean,
  session: Session,
  table: ReadonlyMap<number, Descriptor>,
): ((text: string) => void) | undefined => {
  const { disk, processes } = session;
  const full = session.path(path);
  if (full === "/dev/null") return nothing;
  const standing = numberOf(full);
  if (standing !== undefined) return table.get(standing)?.write ?? nothing;
  const copied = teeOf(processes.get(full), session, table);
  if (copied !== undefined) return copied;
  const folder = full.slice(0, full.lastIndexOf("/")) || "/";
  if (!disk.isDirectory(folder) || disk.isDirectory(full)) return undefined;
  const isNew = disk.stat(full) === undefined;
  const permissions = (0o666 & ~session.umask).toString(8).padStart(4, "0");
  if (isNew) disk.write(full, "", { permissions });
  else if (!appends) disk.write(full, "", disk.stat(full));
  return (text) => disk.append(full, text);
};

/** `>(tee FILE)`, with which scripts keep what they print: each text goes to the file and on, at once. */
const teeOf = (
  script: string | undefined,
  session: Session,
  table: ReadonlyMap<number, Descriptor>,
): ((text: string) => void) | undefined => {
  const [, flag = "", path] =
    /^\s*tee\s+(-a\s+|-i\s+|--append\s+)?["']?([^\s|;&<>"'$]+)["']?\s*$/.exec(script ?? "") ?? [];
  if (path === undefined) return undefined;
  const write = writer(path, /a/.test(flag), session, table);
  const on = table.get(1)?.write ?? nothing;
  return (text) => {
    write?.(text);
    on(text);
  };
};

const reader = (path: string, session: Session, table: ReadonlyMap<number, Descriptor>): Input | undefined => {
  const full = session.path(path);
  if (numberOf(full) === 0) return table.get(0)?.input ?? new Input();
  const text = deviceText(full, session) ?? session.disk.text(full);
  return text === undefined ? undefined : new Input(text);
};

const refused = (verb: "open" | "create", path: string, session: Session, { err }: Streams): undefined => {
  const isFolder = session.disk.isDirectory(session.path(path));
  if (session.dialect === "bash") {
    err(
      `${session.name}: line ${session.line}: ${path}: ${isFolder ? "Is a directory" : "No such file or directory"}\n`,
    );
    return undefined;
  }
  const why = isFolder ? "Is a directory" : verb === "open" ? "No such file" : "Directory nonexistent";
  err(`${session.name}: ${session.line}: cannot ${verb} ${path}: ${why}\n`);
  return undefined;
};

/** The streams of a command with its redirections; `undefined`: one of the files cannot be opened, which is said. */
export const redirected = async (
  redirects: readonly Redirect[],
  session: Session,
  streams: Streams,
  expander: Expander,
): Promise<Streams | undefined> => {
  if (redirects.length === 0) return streams;
  const table = tableOf(streams);
  for (const { descriptor, operator, target } of redirects) {
    const text = await expander.text(target);
    const errors = streamsOf(table);
    if (operator === "<<" || operator === "<<<") {
      table.set(descriptor, { input: new Input(operator === "<<" ? text : `${text}\n`) });
    } else if (operator === "<" || operator === "<>") {
      const input = reader(text, session, table);
      if (input === undefined) return refused("open", text, session, errors);
      table.set(descriptor, { input });
    } else if (/^(?:\d+|-|\d+-)$/.test(text) && /^[<>]&$/.test(operator)) {
      const from = table.get(Number.parseInt(text, 10));
      if (text === "-") table.delete(descriptor);
      else if (from === undefined) {
        errors.err(`${session.name}: line ${session.line}: ${text}: Bad file descriptor\n`);
        return undefined;
      } else table.set(descriptor, from);
    } else {
      const write = writer(text, operator === ">>" || operator === "&>>", session, table);
      if (write === undefined) return refused("create", text, session, errors);
      const isBoth = operator.startsWith("&>") || operator === ">&";
      for (const each of isBoth ? [1, 2] : [descriptor]) table.set(each, { write });
    }
  }
  return streamsOf(table);
};
