import { bytesOfText, textOfBytes } from "../../boot/text-bytes.ts";
import { createHash } from "node:crypto";
import { readOptions, type UnixProgram, type UnixPrograms } from "../program.ts";
import { unescaped } from "../escapes.ts";
import { runAwk } from "./awk/run.ts";
import { deviceText } from "../devices.ts";
import { grep } from "./grep.ts";
import { newFileMode } from "./modes.ts";
import { sed } from "./sed.ts";
import { fileText, linesOf, textOf } from "./text-input.ts";

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
  const { args, disk, environment, fail, session, streams, write } = context;
  const { options, words } = readOptions(args, ["-F", "-v", "-f"]);
  const file = options.get("-f");
  const program = file === undefined ? words[0] : disk.text(file);
  if (program === undefined) return fail(file === undefined ? "no program text" : `can't open file ${file}`, 2);
  const given = args.flatMap((word, index) =>
    args[index - 1] === "-v" ? [word] : /^-v\w+=/.test(word) ? [word.slice(2)] : [],
  );
  const separator = options.get("-F");
  const assigned = [...given, ...(separator === undefined ? [] : [`FS=${separator === "t" ? "\t" : separator}`])];
  const entries = assigned.map((word) => [
    word.slice(0, word.indexOf("=")),
    unescaped(word.slice(word.indexOf("=") + 1)),
  ]);
  const variables: Record<string, string> = Object.fromEntries(entries) as Record<string, string>;
  const inputs: { name: string; text: string }[] = [];
  const paths = file === undefined ? words.slice(1) : words;
  for (const path of paths) {
    const [, name, value = ""] = /^([A-Za-z_]\w*)=(.*)$/s.exec(path) ?? [];
    if (name !== undefined) variables[name] = unescaped(value);
    else {
      const text = fileText(path, {
        ...context,
        fail: () => fail(`cannot open "${path}" (No such file or directory)`, 2),
      });
      if (text === undefined) return 2;
      inputs.push({ name: path, text });
    }
  }
  const readsNothing = /^\s*BEGIN\s*\{[^]*\}\s*$/.test(program) && !/\}\s*(?:END|\/|\{|\$)/.test(program);
  if (inputs.length === 0 && !readsNothing) inputs.push({ name: "", text: context.input.all() });
  const outside = {
    variables,
    environment,
    read: (path: string) => deviceText(path, session) ?? disk.text(path),
    write: (text: string, to?: { readonly path: string; readonly appends: boolean }): void => {
      if (to === undefined || to.path === "/dev/stdout") write(text);
      else if (to.path === "/dev/stderr") streams.err(text);
      else if (to.appends) disk.append(to.path, text);
      else disk.write(to.path, text, disk.stat(to.path) ?? { permissions: newFileMode(session) });
    },
  };
  try {
    return runAwk(program, inputs, outside);
  } catch (error) {
    return fail((error as Error).message, 2);
  }
};

const members = (set: string): string =>
  unescaped(set)
    .replace("[:upper:]", "A-Z")
    .replace("[:lower:]", "a-z")
    .replace("[:space:]", " \t\n\r")
    .replace("[:digit:]", "0-9")
    .replace("[:alnum:]", "A-Za-z0-9")
    .replace("[:alpha:]", "A-Za-z")
    .replace("[:blank:]", " \t")
    .replace("[:punct:]", "!-/:-@[-`{-~")
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
    else if (options.has("-c") || options.has("-C")) result += isIn(character) ? to.slice(-1) : character;
    else result += isIn(character) ? to.charAt(from.indexOf(character)) || to.slice(-1) : character;
  }
  const squeezed =
    options.has("-s") && to !== ""
      ? result.replace(/([^])\1+/g, (run, one: string) => (to.includes(one) ? one : run))
      : result;
  write(squeezed);
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
      const bytes = bytesOfText(text);
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

/** The part of a line that `-k` and `-t` name. */
const keyOf = (line: string, key: string | undefined, separator: string | undefined): string => {
  const [, from = "1", to] = /^(\d+)[^,]*(?:,(\d+))?/.exec(key ?? "") ?? [];
  if (key === undefined) return line;
  const fields = separator === undefined ? line.trim().split(/\s+/) : line.split(separator);
  return fields.slice(Number(from) - 1, to === undefined ? undefined : Number(to)).join(separator ?? " ");
};

const sorted: UnixProgram = (context) => {
  const { disk, session, write } = context;
  const { options, words } = readOptions(context.args, ["-k", "-t", "-o", "-T", "-S"]);
  const text = textOf(words, context);
  if (text === undefined) return 2;
  const [key, separator] = [options.get("-k"), options.get("-t")];
  const ending = options.has("-z") ? "\0" : "\n";
  const flags = `${[...options.keys()].join("")}${key?.replace(/[\d,]/g, "") ?? ""}`;
  const compare = (left: string, right: string): number => {
    const [one, other] = [keyOf(left, key, separator), keyOf(right, key, separator)];
    if (/[nh]/.test(flags)) return (Number.parseFloat(one) || 0) - (Number.parseFloat(other) || 0);
    if (/V/.test(flags)) return one.localeCompare(other, "en", { numeric: true });
    const [a, b] = /f/.test(flags) ? [one.toUpperCase(), other.toUpperCase()] : [one, other];
    return a < b ? -1 : Number(a > b);
  };
  const direction = flags.includes("r") ? -1 : 1;
  const lines = linesOf(text, ending).toSorted(
    (left, right) => direction * (compare(left, right) || (left < right ? -1 : Number(left > right))),
  );
  const kept = options.has("-u")
    ? lines.filter((line, index) => index === 0 || compare(lines[index - 1] ?? "", line) !== 0)
    : lines;
  if (options.has("-c")) return linesOf(text, ending).join() === lines.join() ? 0 : 1;
  const result = kept.map((line) => `${line}${ending}`).join("");
  const to = options.get("-o");
  if (to === undefined) write(result);
  else disk.write(to, result, disk.stat(to) ?? { permissions: newFileMode(session) });
  return 0;
};

const hashed =
  (algorithm: string): UnixProgram =>
  ({ args, disk, fail, input, write }) => {
    const { options, words } = readOptions(args);
    const digest = (bytes: Uint8Array | string): string => createHash(algorithm).update(bytes).digest("hex");
    if (options.has("-c") || options.has("--check")) {
      const isSilent = options.has("--status") || options.has("--quiet");
      const text = words.length === 0 || words[0] === "-" ? input.all() : disk.text(words[0] ?? "");
      if (text === undefined) return fail(`${words[0]}: No such file or directory`);
      const wrong = linesOf(text).filter((line) => {
        const [expected = "", path = ""] = line.split(/\s+\*?/);
        const bytes = disk.stat(path)?.bytes;
        const isRight = bytes !== undefined && digest(bytes) === expected;
        if (bytes === undefined) fail(`${path}: No such file or directory`);
        const word = isRight ? "OK" : bytes === undefined ? "FAILED open or read" : "FAILED";
        if (!options.has("--status") && !(isSilent && isRight)) write(`${path}: ${word}\n`);
        return !isRight;
      });
      if (wrong.length === 0) return 0;
      if (options.has("--status")) return 1;
      return fail(`WARNING: ${wrong.length} computed ${wrong.length === 1 ? "checksum" : "checksums"} did NOT match`);
    }
    if (words.length === 0) write(`${digest(input.all())}  -\n`);
    for (const path of words) {
      const bytes = disk.stat(path)?.bytes;
      if (bytes === undefined) return fail(`${path}: No such file or directory`);
      write(`${digest(bytes)}  ${path}\n`);
    }
    return 0;
  };

/** Words as xargs reads them: split at blanks, unless they are quoted. */
const wordsIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?:"[^"\n]*"|'[^'\n]*'|\\[^]|[^\s"'\\])+/g)].map(([word]) =>
    word.replace(
      /"([^"]*)"|'([^']*)'|\\([^])/g,
      (_, double?: string, single?: string, one?: string) => double ?? single ?? one ?? "",
    ),
  );

const xargs: UnixProgram = async ({ args, input, run, write }) => {
  const valued = /^-[nIPdaEsL]$/;
  const flags = args.findIndex((word, index) => !word.startsWith("-") && !valued.test(args[index - 1] ?? ""));
  const command = flags < 0 ? [] : args.slice(flags);
  const { options } = readOptions(flags < 0 ? args : args.slice(0, flags), ["-n", "-I", "-P", "-d", "-L", "-s"]);
  const placeholder = options.get("-I");
  const text = input.all();
  const ending =
    args.some((word) => /^-[rt]*0/.test(word)) || options.has("--null")
      ? "\0"
      : options.has("-d")
        ? unescaped(options.get("-d") ?? "\n")
        : undefined;
  const words =
    ending !== undefined
      ? linesOf(text, ending)
      : placeholder === undefined
        ? wordsIn(text)
        : linesOf(text)
            .map((line) => line.trim())
            .filter((line) => line !== "");
  if (words.length === 0 && (placeholder !== undefined || options.has("-r") || options.has("--no-run-if-empty"))) {
    return 0;
  }
  const count =
    placeholder !== undefined ? 1 : Number(options.get("-n") ?? options.get("-L") ?? Math.max(words.length, 1));
  let status = 0;
  for (let at = 0; at === 0 || at < words.length; at += count) {
    const part = words.slice(at, at + count);
    if (command.length === 0) {
      write(`${part.join(" ")}\n`);
      continue;
    }
    const filled =
      placeholder === undefined
        ? [...command, ...part]
        : command.map((each) => each.replaceAll(placeholder, part[0] ?? ""));
    const ended = await run(filled, { input: "" });
    if (ended === 127 || ended === 126) return ended;
    if (ended !== 0) status = 123;
  }
  return status;
};

const counted: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args);
  const asked = (["-l", "-w", "-m", "-c"] as const).filter((name) => options.has(name));
  const columns = asked.length === 0 ? (["-l", "-w", "-c"] as const) : asked;
  const totals: Record<string, number> = {};
  const of = (text: string): Readonly<Record<string, number>> => ({
    "-l": text.split("\n").length - 1,
    "-w": text.split(/\s+/).filter((word) => word !== "").length,
    "-m": Array.from(text).length,
    "-c": bytesOfText(text).length,
  });
  const texts: { readonly name: string | undefined; readonly counts: Readonly<Record<string, number>> }[] = [];
  let status = 0;
  for (const path of words.length === 0 ? [undefined] : words) {
    const text = path === undefined ? context.input.all() : fileText(path, context);
    if (text === undefined) status = 1;
    else texts.push({ name: path, counts: of(text) });
  }
  for (const { counts } of texts) {
    for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
  }
  const all = texts.length > 1 ? [...texts, { name: "total", counts: totals }] : texts;
  const isOne = columns.length === 1 && texts.length === 1;
  const least = words.length === 0 ? 7 : String(totals["-c"] ?? 0).length;
  for (const { counts, name } of all) {
    const numbers = columns.map((column) => (isOne ? String(counts[column]) : String(counts[column]).padStart(least)));
    context.write(`${numbers.join(" ")}${name === undefined ? "" : ` ${name}`}\n`);
  }
  return status;
};

const sequence: UnixProgram = ({ args, fail, write }) => {
  const { options, words } = readOptions(
    args.map((word) => (/^-\d/.test(word) ? `\0${word}` : word)),
    ["-s", "-f"],
  );
  const numbers = words.map((word) => Number(word.replace("\0", "")));
  if (numbers.length === 0 || numbers.some(Number.isNaN)) {
    return fail(numbers.length === 0 ? "missing operand" : `invalid floating point argument: ‘${words[0]}’`);
  }
  const [first = 1, by = 1, last = 1] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  const found: string[] = [];
  for (let number = first; by > 0 ? number <= last : number >= last; number += by) {
    if (by === 0 || found.length >= 10_000) break;
    found.push(String(Math.round(number * 1e9) / 1e9));
  }
  const width = options.has("-w") ? Math.max(...found.map((text) => text.length)) : 0;
  if (found.length > 0) write(`${found.map((text) => text.padStart(width, "0")).join(options.get("-s") ?? "\n")}\n`);
  return 0;
};

const base64: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-w", "--wrap"]);
  const text = textOf(words, context);
  if (text === undefined) return 1;
  if (options.has("-d") || options.has("--decode") || options.has("-D")) {
    const kept = text.replaceAll("\n", "");
    const isWrong = !options.has("-i") && (!/^[A-Za-z0-9+/]*={0,2}$/.test(kept) || kept.length % 4 !== 0);
    context.write(textOfBytes(Buffer.from(/^[A-Za-z0-9+/]*/.exec(kept)?.[0] ?? "", "base64")));
    return isWrong ? context.fail("invalid input") : 0;
  }
  const encoded = Buffer.from(bytesOfText(text)).toString("base64");
  const width = Number(options.get("-w") ?? options.get("--wrap") ?? 76);
  context.write(
    width === 0 ? encoded : encoded === "" ? "" : encoded.replace(new RegExp(`.{1,${width}}`, "g"), "$&\n"),
  );
  return 0;
};

const unique: UnixProgram = (context) => {
  const { options, words } = readOptions(context.args, ["-f", "-s", "-w"]);
  const text = textOf(words.slice(0, 1), context);
  if (text === undefined) return 1;
  const groups: { readonly line: string; count: number }[] = [];
  for (const line of linesOf(text)) {
    const last = groups.at(-1);
    if (last?.line === line) last.count += 1;
    else groups.push({ line, count: 1 });
  }
  for (const { count, line } of groups) {
    if ((options.has("-d") && count < 2) || (options.has("-u") && count > 1)) continue;
    context.write(`${options.has("-c") ? `${String(count).padStart(7)} ` : ""}${line}\n`);
  }
  return 0;
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
  uniq: unique,
  wc: counted,
  xargs,
  base64,
  sha1sum: hashed("sha1"),
  sha256sum: hashed("sha256"),
  sha512sum: hashed("sha512"),
  md5sum: hashed("md5"),
  seq: sequence,
};
