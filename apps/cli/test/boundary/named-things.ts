import { readFileSync } from "node:fs";
import { join } from "node:path";

const classes = ["object", "file", "url", "address", "id", "harmless"] as const;

/** What is said of fields or marks: what they name, and the rule that keeps that within the user's namespace. */
export interface NamedThing {
  readonly line: string;
  readonly class: (typeof classes)[number];
  readonly guard: string;
  readonly holds: (kind: string, path: string) => boolean;
}

const pattern = (text: string): RegExp => {
  const parts = text.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^.]*" : part.replaceAll(/[.$[\]{}()+?^|]/g, String.raw`\$&`);
  });
  return new RegExp(`^${parts.join("")}$`);
};

const thing = (line: string, guard: string): NamedThing => {
  const [what = "", kinds = "", path = "", ...more] = line.split(" ");
  const named = classes.find((each) => each === what);
  if (named === undefined || path === "" || more.length > 0) throw new Error(`no class, kinds and path: ${line}`);
  const ofKind = kinds.split("|").map(pattern);
  const atPath = pattern(path);
  const holds = (kind: string, at: string): boolean => ofKind.some((each) => each.test(kind)) && atPath.test(at);
  return { line, class: named, guard, holds };
};

/** The list of a file beside this one. Of several lines about a field the first holds. */
export const namedThings = (file: string): readonly NamedThing[] => {
  const [, ...sections] = readFileSync(join(import.meta.dirname, file), "utf8").split(/^\[/m);
  return sections.flatMap((section) => {
    const [heading = "", ...lines] = section.trim().split("\n");
    return lines.map((line) => thing(line, heading.slice(0, heading.indexOf("]"))));
  });
};
