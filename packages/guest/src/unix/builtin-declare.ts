import { type Builtin, type BuiltinContext, complain, type Declared } from "./builtin.ts";
import { shownValue } from "./builtin-printf.ts";
import { setValue } from "./parameters.ts";
import { arrayOf, emptyMap, scalarOf } from "./shell-array.ts";
import type { Session } from "./session.ts";

/** Options and names: words without a value, and those with one that are no assignments to the parser. */
const sorted = ({
  args,
  declared,
}: BuiltinContext): { readonly flags: string; readonly all: readonly (string | Declared)[] } => {
  const flags = args.filter((word) => /^[-+]\w/.test(word));
  const words = args.filter((word) => !/^[-+]\w/.test(word) && word !== "--");
  const split = words.map((word): string | Declared => {
    const at = word.indexOf("=");
    return at < 0 ? word : { name: word.slice(0, at), isAppending: false, value: word.slice(at + 1) };
  });
  return { flags: flags.join(""), all: [...split, ...declared] };
};

const letters = (name: string, session: Session): string => {
  const value = session.variables.get(name);
  const found = [
    typeof value === "object" ? (value.isAssociative ? "A" : "a") : "",
    session.integers.has(name) ? "i" : "",
    session.readonly.has(name) ? "r" : "",
    session.exported.has(name) ? "x" : "",
  ].join("");
  return found === "" ? "-" : found;
};

const shown = (name: string, session: Session): string => {
  const value = session.variables.get(name);
  if (value === undefined) return `declare -${letters(name, session)} ${name}\n`;
  const text =
    typeof value === "string"
      ? shownValue(value)
      : `(${[...value.entries].map(([key, each]) => `[${key}]=${shownValue(each)}${value.isAssociative ? " " : ""}`).join(value.isAssociative ? "" : " ")})`;
  return `declare -${letters(name, session)} ${name}=${text}\n`;
};

const print = (context: BuiltinContext, flags: string, names: readonly string[]): number => {
  const { session, streams } = context;
  let status = 0;
  for (const name of names) {
    const body = session.functions.get(name);
    const isFunction = /[fF]/.test(flags);
    if (isFunction && body !== undefined) {
      streams.out(flags.includes("F") ? `${name}\n` : `${functionText(name, body.text)}\n`);
    } else if (!isFunction && session.variables.has(name)) streams.out(shown(name, session));
    else {
      status = 1;
      if (!isFunction) complain(context, `declare: ${name}: not found`);
    }
  }
  return status;
};

/** A function of simple commands as bash prints it; another one as it was written. */
const functionText = (name: string, text: string): string => {
  const [, body] = /^[^{]*\{\s*([^]*?);?\s*\}$/.exec(text) ?? [];
  if (body === undefined) return text;
  const lines = body.split(/[;\n]\s*/).filter((line) => line.trim() !== "");
  return `${name} () \n{ \n${lines.map((line) => `    ${line.trim()}`).join(";\n")}\n}`;
};

/** Notes of a name what the flags say; with `+` it is so no longer. */
const mark = (flags: string, name: string, session: Session): void => {
  const sets = [
    ["x", session.exported],
    ["i", session.integers],
  ] as const;
  for (const [letter, names] of sets) {
    if (new RegExp(`-\\w*${letter}`).test(flags)) names.add(name);
    if (new RegExp(`\\+\\w*${letter}`).test(flags)) names.delete(name);
  }
  const before = session.variables.get(name);
  if (/-\w*A/.test(flags) && typeof before !== "object") session.variables.set(name, emptyMap);
  else if (/-\w*a/.test(flags) && typeof before !== "object") {
    session.variables.set(name, arrayOf(before === undefined ? [] : [before]));
  }
};

const assign = async (each: Declared, session: Session): Promise<void> => {
  const before = session.variables.get(each.name);
  if (typeof each.value === "string") {
    setValue(each.name, undefined, each.isAppending ? `${scalarOf(before) ?? ""}${each.value}` : each.value, session);
    return;
  }
  const isMap = typeof before === "object" && before.isAssociative;
  session.set(each.name, await each.value(each.isAppending ? before : isMap ? emptyMap : undefined));
};

const declareAll = async (context: BuiltinContext, usual: string): Promise<number> => {
  const { session } = context;
  const { all, flags: given } = sorted(context);
  const flags = `${given}${usual}`;
  const names = all.map((each) => (typeof each === "string" ? each : each.name));
  if (/-\w*[pfF]/.test(given)) return print(context, given, names);
  for (const each of all) {
    const name = typeof each === "string" ? each : each.name;
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      return complain(
        context,
        `${context.session.dialect === "bash" ? "declare: " : ""}\`${name}': not a valid identifier`,
      );
    }
    mark(flags, name, session);
    if (typeof each !== "string") await assign(each, session);
    if (/-\w*r/.test(flags)) session.readonly.add(name);
  }
  return 0;
};

/** In a function: what the name had before is back after it. */
const hide = (context: BuiltinContext): void => {
  const frame = context.session.frames.at(-1);
  const { variables } = context.session;
  for (const each of sorted(context).all) {
    const name = typeof each === "string" ? each : each.name;
    if (frame === undefined || frame.has(name)) continue;
    frame.set(name, variables.get(name));
    variables.delete(name);
  }
};

export const declare: Builtin = (context) => {
  if (context.session.frames.length > 0 && !context.args.some((word) => /^-\w*[gpfF]/.test(word))) hide(context);
  return declareAll(context, "");
};

export const local: Builtin = (context) => {
  if (context.session.frames.length === 0) {
    if (context.session.dialect === "bash") return complain(context, "local: can only be used in a function");
    return complain(context, "local: not in a function", 2);
  }
  hide(context);
  return declareAll(context, "");
};

export const readonly: Builtin = (context) => declareAll(context, "-r");

/** Without arguments it prints what is exported. */
export const exporting: Builtin = (context) => {
  const { args, declared, session, streams } = context;
  if (args.includes("-n")) {
    for (const name of args.filter((word) => word !== "-n")) session.exported.delete(name);
    return 0;
  }
  if (declared.length > 0 || !args.every((word) => word === "-p")) {
    return args.includes("-f") ? 0 : declareAll(context, "-x");
  }
  for (const [name, value] of Object.entries(session.environment()).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    streams.out(
      session.dialect === "bash"
        ? `declare -x ${name}=${JSON.stringify(value)}\n`
        : `export ${name}='${value.replaceAll("'", `'"'"'`)}'\n`,
    );
  }
  return 0;
};
