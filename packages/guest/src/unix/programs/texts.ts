import { createHash } from "node:crypto";
import { readOptions, type UnixContext, type UnixProgram, type UnixPrograms } from "../program.ts";
import { unescaped } from "../escapes.ts";
import { compile } from "./expressions.ts";
import { sed } from "./sed.ts";

const linesOf = (text: string): readonly string[] => {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
};

/** What the named files have in them, or the input; `undefined`, and said so, where one is not there. */
const textOf = (paths: readonly string[], { disk, fail, input }: UnixContext): string | undefined => {
  if (paths.length === 0) return input.all();
  let text = "";
  for (const path of paths) {
    const part = path === "-" ? input.all() : disk.text(path);
    if (part === undefined) {
      fail(`${path}: No such file or directory`);
      return undefined;
    }
    text += part;
  }
  return text;
};

const grep: UnixProgram = (context) => {
  const { args, disk, fail, input, name, write } = context;
  const { options, words } = readOptions(args, ["-e", "-m", "-A", "-B", "-f"]);
  const [pattern = "", ...paths] = options.has("-e") ? [options.get("-e") ?? "", ...words] : words;
  const has = (...names: readonly string[]): boolean => names.some((each) => options.has(each));
  const expression = compile(pattern, {
    isExtended: has("-E", "-P", "--extended-regexp") || name === "egrep",
    isFixed: has("-F") || name === "fgrep",
    ignoresCase: has("-i"),
  });
  let [count, isMissing] = [0, false];
  const from =
    paths.length === 0
      ? [undefined]
      : has("-r", "-R")
        ? disk.paths().filter((path) => paths.some((root) => path.startsWith(root)))
        : paths;
  for (const path of from) {
    const text = path === undefined ? input.all() : disk.text(path);
    if (text === undefined) {
      isMissing = true;
      if (!has("-s")) fail(`${path}: No such file or directory`);
      continue;
    }
    for (const line of linesOf(text)) {
      const matcher = expression.matcher(line);
      if (matcher.find() === has("-v", "--invert-match")) continue;
      count += 1;
      if (has("-q", "-c", "-l", "--quiet")) continue;
      if (!has("-o")) write(`${from.length > 1 && !has("-h") ? `${path}:` : ""}${line}\n`);
      else {
        do write(`${matcher.group(0)}\n`);
        while (matcher.find());
      }
    }
    if (has("-l") && count > 0) write(`${path}\n`);
  }
  if (has("-c")) write(`${count}\n`);
  if (isMissing && !(has("-q") && count > 0)) return 2;
  return count > 0 ? 0 : 1;
};

const listed = (text: string): readonly (readonly [number, number])[] =>
  text.split(",").map((range) => {
    const [, first = "", dash, last = ""] = /^(\d*)(-?)(\d*)$/.exec(range) ?? [];
    return [Number(first || 1), dash === "" ? Number(first) : Number(last || Number.MAX_SAFE_INTEGER)];
  });

const cut: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-d", "-f", "-c", "-b"]);
  const text = textOf(words, context);
  if (text === undefined) return 1;
  const ranges = listed(options.get("-f") ?? options.get("-c") ?? options.get("-b") ?? "1");
  const delimiter = options.has("-f") ? (options.get("-d") ?? "\t") : "";
  for (const line of linesOf(text)) {
    const fields = line.split(delimiter);
    const isWhole = delimiter !== "" && fields.length === 1;
    const kept = fields.filter(
      (_, index) => isWhole || ranges.some(([first, last]) => index + 1 >= first && index + 1 <= last),
    );
    context.write(`${kept.join(delimiter)}\n`);
  }
  return 0;
};

const awk: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-F", "-v"]);
  const [script = "", ...paths] = words;
  const [, guard, list, number] = /^(?:\/(.*)\/|NR ?== ?(?:\d+))? *\{ *print ?(.*?);? *\}$/.exec(script) ?? [];
  const [, row] = /^NR ?== ?(\d+)/.exec(script) ?? [];
  if (list === undefined || number !== undefined) return context.fail("only programs of one 'print' are modelled", 2);
  const text = textOf(paths, context);
  if (text === undefined) return 2;
  const pattern = guard === undefined ? undefined : compile(guard, { isExtended: true });
  const separator = options.get("-F");
  for (const [index, line] of linesOf(text).entries()) {
    if (pattern !== undefined && !pattern.matcher(line).find()) continue;
    if (row !== undefined && index + 1 !== Number(row)) continue;
    const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(unescaped(separator));
    const values = (list === "" ? ["$0"] : list.split(/(?<!\s)\s*,\s*/)).map((term) =>
      term
        .split(/(?<!\s)\s+(?=["$N])|(?<=")(?=\$)/)
        .map((each) =>
          each === "$0"
            ? line
            : each === "$NF" || each === "$(NF)"
              ? (fields.at(-1) ?? "")
              : each.startsWith("$")
                ? (fields[Number(each.slice(1)) - 1] ?? "")
                : each.replace(/^"(.*)"$/, "$1"),
        )
        .join(""),
    );
    context.write(`${values.join(" ")}\n`);
  }
  return 0;
};

const members = (set: string): string =>
  unescaped(set)
    .replace("[:upper:]", "A-Z")
    .replace("[:lower:]", "a-z")
    .replace("[:space:]", " \t\n\r")
    .replace("[:digit:]", "0-9")
    .replace("[:alnum:]", "A-Za-z0-9")
    .replace(/(.)-(.)/gs, (_, first: string, last: string) =>
      Array.from({ length: Math.max(0, last.charCodeAt(0) - first.charCodeAt(0) + 1) }, (__, index) =>
        String.fromCharCode(first.charCodeAt(0) + index),
      ).join(""),
    );

const tr: UnixProgram = ({ args, input, write }) => {
  const { options, words } = readOptions(args);
  const [from, to] = [members(words[0] ?? ""), members(words[1] ?? "")];
  const isIn = (character: string): boolean => from.includes(character) !== (options.has("-c") || options.has("-C"));
  let result = "";
  for (const character of input.all()) {
    if (options.has("-d")) result += isIn(character) ? "" : character;
    else if (options.has("-s") && to === "") result += isIn(character) && result.endsWith(character) ? "" : character;
    else result += isIn(character) ? to.charAt(from.indexOf(character)) || to.slice(-1) : character;
  }
  write(result);
  return 0;
};

const part =
  (fromEnd: boolean): UnixProgram =>
  (context) => {
    const first = context.args[0] ?? "";
    const args = /^-\d+$/.test(first) ? ["-n", first.slice(1), ...context.args.slice(1)] : context.args;
    const { options, words } = readOptions(args, ["-n", "-c", "--lines", "--bytes"]);
    const text = textOf(words, context);
    if (text === undefined) return 1;
    const characters = options.get("-c") ?? options.get("--bytes");
    const count = options.get("-n") ?? options.get("--lines") ?? "10";
    if (characters !== undefined) {
      const bytes = Buffer.from(text);
      const size = Number(characters);
      context.write((fromEnd ? bytes.subarray(Math.max(0, bytes.length - size)) : bytes.subarray(0, size)).toString());
      return 0;
    }
    const lines = linesOf(text);
    const kept = fromEnd
      ? count.startsWith("+")
        ? lines.slice(Number(count) - 1)
        : lines.slice(Math.max(0, lines.length - Number(count)))
      : lines.slice(0, Number(count));
    context.write(kept.map((line) => `${line}\n`).join(""));
    return 0;
  };

const sorted: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-k", "-t"]);
  const text = textOf(words, context);
  if (text === undefined) return 2;
  const numeric = options.has("-n") || options.has("-V");
  const lines = linesOf(text).toSorted((left, right) =>
    numeric ? left.localeCompare(right, "en", { numeric: true }) : left < right ? -1 : Number(left > right),
  );
  const kept = options.has("-u") ? [...new Set(lines)] : lines;
  context.write((options.has("-r") ? kept.toReversed() : kept).map((line) => `${line}\n`).join(""));
  return 0;
};

const hashed =
  (algorithm: string): UnixProgram =>
  ({ args, disk, fail, input, write }) => {
    const { options, words } = readOptions(args);
    const digest = (bytes: Uint8Array | string): string => createHash(algorithm).update(bytes).digest("hex");
    if (options.has("-c") || options.has("--check")) {
      const text = words.length === 0 ? input.all() : (disk.text(words[0] ?? "") ?? "");
      const wrong = linesOf(text).filter((line) => {
        const [expected = "", path = ""] = line.split(/\s+\*?/);
        const bytes = disk.stat(path)?.bytes;
        const isRight = bytes !== undefined && digest(bytes) === expected;
        write(`${path}: ${isRight ? "OK" : "FAILED"}\n`);
        return !isRight;
      });
      return wrong.length === 0 ? 0 : fail(`WARNING: ${wrong.length} computed checksum did NOT match`);
    }
    if (words.length === 0) write(`${digest(input.all())}  -\n`);
    for (const path of words) {
      const bytes = disk.stat(path)?.bytes;
      if (bytes === undefined) return fail(`${path}: No such file or directory`);
      write(`${digest(bytes)}  ${path}\n`);
    }
    return 0;
  };

const xargs: UnixProgram = async ({ args, input, run, write }) => {
  const flags = args.findIndex((word, index) => !word.startsWith("-") && !/^-[nIP]$/.test(args[index - 1] ?? ""));
  const command = args.slice(Math.max(flags, 0));
  const { options } = readOptions(flags < 0 ? args : args.slice(0, flags), ["-n", "-I", "-P"]);
  const words = input
    .all()
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0 && (options.has("-r") || options.has("--no-run-if-empty"))) return 0;
  if (flags < 0) {
    write(`${words.join(" ")}\n`);
    return 0;
  }
  const placeholder = options.get("-I");
  if (placeholder === undefined && !options.has("-n")) return (await run([...command, ...words])) === 0 ? 0 : 123;
  let status = 0;
  for (const word of words) {
    const filled =
      placeholder === undefined ? [...command, word] : command.map((each) => each.replaceAll(placeholder, word));
    if ((await run(filled)) !== 0) status = 123;
  }
  return status;
};

/** Programs that work on texts. */
export const textPrograms: UnixPrograms = {
  grep,
  egrep: grep,
  fgrep: grep,
  sed,
  awk,
  gawk: awk,
  mawk: awk,
  cut,
  tr,
  head: part(false),
  tail: part(true),
  sort: sorted,
  uniq: (context) => {
    const lines = linesOf(context.input.all());
    context.write(
      lines
        .filter((line, index) => index === 0 || line !== lines[index - 1])
        .map((line) => `${line}\n`)
        .join(""),
    );
    return 0;
  },
  wc: (context) => {
    const { options, words } = readOptions(context.args);
    const text = textOf(words, context);
    if (text === undefined) return 1;
    const count = options.has("-l")
      ? linesOf(text).length
      : options.has("-c")
        ? Buffer.byteLength(text)
        : text.split(/\s+/).filter((word) => word !== "").length;
    context.write(`${count}${words.length > 0 ? ` ${words[0]}` : ""}\n`);
    return 0;
  },
  xargs,
  base64: (context) => {
    const { options, words } = readOptions(context.args, ["-w"]);
    const text = textOf(words, context);
    if (text === undefined) return 1;
    const decodes = options.has("-d") || options.has("--decode");
    context.write(decodes ? Buffer.from(text, "base64").toString() : `${Buffer.from(text).toString("base64")}\n`);
    return 0;
  },
  sha256sum: hashed("sha256"),
  sha512sum: hashed("sha512"),
  md5sum: hashed("md5"),
  seq: ({ args, write }) => {
    const [first, last] = args.length === 1 ? [1, Number(args[0])] : [Number(args[0]), Number(args.at(-1))];
    for (let number = first; number <= last && number < first + 10_000; number += 1) write(`${number}\n`);
    return 0;
  },
};
