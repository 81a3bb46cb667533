import { patternSize } from "@capstan/schema/structural";
import { RE2JS } from "re2js";
import { costing, define, times, type TemplateFunction, type TemplateFunctions } from "../functions/define.ts";

interface Match {
  readonly start: number;
  readonly end: number;
  readonly groups: readonly string[];
  readonly named: Readonly<Record<string, number>>;
}

/** Matches from the left, at most `limit` unless it is negative. An empty one right behind another is none. */
const matchesOf = (pattern: string, text: string, limit = -1): readonly Match[] => {
  const compiled = RE2JS.compile(pattern);
  const matcher = compiled.matcher(text);
  const found: Match[] = [];
  let behind = -1;
  while ((limit < 0 || found.length < limit) && matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (start === end && start === behind) continue;
    behind = end;
    const groups = Array.from({ length: matcher.groupCount() + 1 }, (_, index) => matcher.group(index) ?? "");
    found.push({ start, end, groups, named: compiled.namedGroups() });
  }
  return found;
};

/** `$1`, `${1}`, `$name` and `$$` of a replacement. */
const expanded = (replacement: string, { groups, named }: Match): string =>
  replacement.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (whole, braced?: string, plain?: string) => {
    const name = braced ?? plain;
    if (name === undefined) return whole === "$$" ? "$" : whole;
    return groups[/^\d+$/.test(name) ? Number(name) : (named[name] ?? -1)] ?? "";
  });

const replaced = (pattern: string, text: string, by: (match: Match) => string): string => {
  let [result, from] = ["", 0];
  for (const match of matchesOf(pattern, text)) {
    result += text.slice(from, match.start) + by(match);
    from = match.end;
  }
  return result + text.slice(from);
};

const splitBy = (pattern: string, text: string, limit: number): readonly string[] => {
  if (limit === 0) return [];
  if (pattern !== "" && text === "") return [""];
  const parts: string[] = [];
  let [from, behind] = [0, 0];
  for (const { end, start } of matchesOf(pattern, text, limit)) {
    if (limit > 0 && parts.length === limit - 1) break;
    behind = start;
    if (end !== 0) parts.push(text.slice(from, start));
    from = end;
  }
  return behind === text.length ? parts : [...parts, text.slice(from)];
};

const matches = (pattern: string, text: string): boolean => RE2JS.compile(pattern).matcher(text).find();

const must: TemplateFunctions = {
  Find: define(["string", "string"], (pattern, text) => matchesOf(pattern, text, 1)[0]?.groups[0] ?? ""),
  FindAll: define(["string", "string", "int"], (pattern, text, limit) =>
    matchesOf(pattern, text, limit).map(({ groups }) => groups[0]),
  ),
  Match: define(["string", "string"], matches),
  ReplaceAll: define(["string", "string", "string"], (pattern, text, by) =>
    replaced(pattern, text, (match) => expanded(by, match)),
  ),
  ReplaceAllLiteral: define(["string", "string", "string"], (pattern, text, by) => replaced(pattern, text, () => by)),
  Split: define(["string", "string", "int"], splitBy),
};

/** A pattern is compiled, and in the worst case each of its instructions is held against each character of the text. */
const patternCost = ([pattern = "", text = "", by = ""]: readonly unknown[]): number => {
  const size = patternSize(String(pattern));
  return 100 * size + (150 + size + String(by).length) * (1 + String(text).length);
};

const named = (prefix: string): readonly (readonly [string, TemplateFunction])[] =>
  Object.entries(must).map(([name, of]) => [prefix + name, costing(patternCost, of)]);

/** Functions about regular expressions, in the dialect of RE2. */
export const regexFunctions: TemplateFunctions = {
  ...Object.fromEntries(named("regex")),
  ...Object.fromEntries(named("mustRegex")),
  regexMatch: costing(
    patternCost,
    define(["string", "string"], (pattern, text) => {
      try {
        return matches(pattern, text);
      } catch {
        return false;
      }
    }),
  ),
  regexQuoteMeta: times(
    10,
    define(["string"], (text) => text.replace(/[\\.+*?()|[\]{}^$]/g, "\\$&")),
  ),
};
