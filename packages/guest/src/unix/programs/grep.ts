import type { RE2JS } from "re2js";
import { readOptions, type UnixContext, type UnixProgram } from "../program.ts";
import { compile } from "./expressions.ts";
import { fileText, linesOf } from "./text-input.ts";

/** Rewrites a Perl expression with a leading lookbehind or a `\K`: the result of the match becomes a group. */
const withGroup = (pattern: string): string => {
  const behind = /^\(\?<=((?:[^()\\]|\\.)*)\)([^]*)$/.exec(pattern);
  if (behind !== null) return `${behind[1]}(${behind[2]})`;
  const at = pattern.indexOf("\\K");
  return at < 0 ? pattern : `${pattern.slice(0, at)}(${pattern.slice(at + 2)})`;
};

interface Order {
  readonly expressions: readonly RE2JS[];
  readonly hasGroup: boolean;
  readonly has: (...names: readonly string[]) => boolean;
  readonly before: number;
  readonly after: number;
  readonly most: number;
}

const orderOf = (name: string, options: ReadonlyMap<string, string>, patterns: readonly string[]): Order => {
  const has = (...names: readonly string[]): boolean => names.some((each) => options.has(each));
  const isPerl = has("-P", "--perl-regexp");
  const around = Number(options.get("-C") ?? 0);
  const grouped = patterns.map((pattern) => (isPerl ? withGroup(pattern) : pattern));
  return {
    has,
    hasGroup: grouped.some((pattern, index) => pattern !== patterns[index]),
    expressions: grouped.map((pattern) => {
      const isFixed = has("-F", "--fixed-strings") || name === "fgrep";
      return compile(pattern, {
        isExtended: isPerl || has("-E", "--extended-regexp") || name === "egrep",
        isFixed,
        ignoresCase: has("-i", "--ignore-case"),
        ...(has("-w", "--word-regexp") && { around: "word" as const }),
        ...(has("-x", "--line-regexp") && { around: "line" as const }),
      });
    }),
    before: Number(options.get("-B") ?? around),
    after: Number(options.get("-A") ?? around),
    most: Number(options.get("-m") ?? Infinity),
  };
};

/** Where a line fits first. */
const matcherFor = ({ expressions }: Order, line: string) =>
  expressions.map((expression) => expression.matcher(line)).find((matcher) => matcher.find());

/** The lines of one text that are printed, and how many fit. */
const lookIn = (
  lines: readonly string[],
  order: Order,
  say: (index: number, line: string, sign: ":" | "-") => void,
  parts: (index: number, text: string) => void,
): number => {
  const { after, before, has, hasGroup, most } = order;
  const isQuiet = has("-q", "-c", "-l", "-L", "--quiet", "--count", "--files-with-matches", "--silent");
  let [count, last] = [0, -1];
  for (const [index, line] of lines.entries()) {
    if (count >= most) break;
    const matcher = matcherFor(order, line);
    if ((matcher !== undefined) === has("-v", "--invert-match")) continue;
    count += 1;
    if (isQuiet) continue;
    if (has("-o", "--only-matching") && matcher !== undefined) {
      do parts(index, matcher.group(hasGroup ? 1 : 0) ?? "");
      while (matcher.find());
      continue;
    }
    for (let each = Math.max(index - before, last + 1); each < index; each += 1) say(each, lines[each] ?? "", "-");
    if (index > last) say(index, line, ":");
    last = Math.max(index, last);
    for (let each = index + 1; each <= index + after && each < lines.length; each += 1) {
      const next = lines[each] ?? "";
      if ((matcherFor(order, next) !== undefined) !== has("-v", "--invert-match")) break;
      say(each, next, "-");
      last = each;
    }
  }
  return count;
};

const filesFor = (paths: readonly string[], isDeep: boolean, { disk }: UnixContext): readonly string[] => {
  if (!isDeep) return paths.length === 0 ? ["-"] : paths;
  return (paths.length === 0 ? ["."] : paths).flatMap((root) => {
    if (!disk.isDirectory(root)) return [root];
    const full = disk.resolve(root);
    return disk
      .paths()
      .filter((path) => path.startsWith(`${full === "/" ? "" : full}/`))
      .map((path) => `${root.replace(/\/$/, "")}${path.slice(full === "/" ? 0 : full.length)}`);
  });
};

/** `-e` may stand several times. */
const patternsOf = (args: readonly string[]): readonly string[] =>
  args.flatMap((word, index) => {
    if (args[index - 1] === "-e" || args[index - 1] === "--regexp") return [word];
    const [, attached] = /^(?:-\w*e(?=.)|--regexp=)(.+)$/.exec(word) ?? [];
    return attached === undefined || args[index - 1] === "-f" || !/^-[a-zA-Z]*e/.test(word) ? [] : [attached];
  });

export const grep: UnixProgram = (context) => {
  const { args, disk, fail, name, write } = context;
  const valued = ["-e", "-m", "-A", "-B", "-C", "-f", "--include", "--exclude", "--color"];
  const { options, words } = readOptions(args, valued);
  const given = options.has("-e")
    ? patternsOf(args)
    : options.has("-f")
      ? linesOf(disk.text(options.get("-f") ?? "") ?? "")
      : [];
  const isFirst = !options.has("-e") && !options.has("-f");
  const patterns = (isFirst ? [words[0] ?? ""] : given).flatMap((pattern) => pattern.split("\n"));
  const order = orderOf(name, options, patterns);
  const { has } = order;
  const isDeep = has("-r", "-R", "--recursive");
  const files = filesFor(isFirst ? words.slice(1) : words, isDeep, context);
  const isNamed = (files.length > 1 || isDeep || has("-H")) && !has("-h", "--no-filename");
  let [total, isMissing] = [0, false];
  for (const path of files) {
    const silent = has("-s", "--no-messages") ? { ...context, fail: () => 1 } : context;
    if (path !== "-" && disk.isDirectory(path)) {
      fail(`${path}: Is a directory`);
      continue;
    }
    const text = fileText(path, silent);
    if (text === undefined) {
      isMissing = true;
      continue;
    }
    const prefix = (index: number, sign: string): string =>
      `${isNamed ? `${path}${sign}` : ""}${has("-n", "--line-number") ? `${index + 1}${sign}` : ""}`;
    const count = lookIn(
      linesOf(text),
      order,
      (index, line, sign) => write(`${prefix(index, sign)}${line}\n`),
      (index, part) => write(`${prefix(index, ":")}${part}\n`),
    );
    total += count;
    const isListed =
      (has("-l", "--files-with-matches") && count > 0) || (has("-L", "--files-without-match") && count === 0);
    if (isListed) write(`${path}\n`);
    else if (has("-c", "--count")) write(`${isNamed ? `${path}:` : ""}${count}\n`);
  }
  if (isMissing && !(has("-q", "--quiet") && total > 0)) return 2;
  return total > 0 ? 0 : 1;
};
