import { plainLines, plainText } from "@capstan/kube-values";
import { ConditionReason, type Condition } from "@capstan/contract/wire";
import { isNegative, type Standing, type TreeNode } from "@capstan/inspect";
import { type Colour, paint } from "../colours.ts";

export interface RenderOptions {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly colour: boolean;
  /** Whose conditions are shown: `all`, kinds, or `Kind/name`. */
  readonly showConditions: readonly string[];
}

interface Line {
  readonly name: string;
  readonly replicas: string;
  readonly status: string;
  readonly reason: string;
  readonly since: string;
  readonly message: string;
  readonly good: boolean | undefined;
}

const units = [
  [86_400, "d"],
  [3600, "h"],
  [60, "m"],
] as const;

/** Returns the age in the largest unit that counts at least two. */
const ageOf = (since: string | undefined, now: number): string => {
  // Conditions of some kinds have no time, which is read as the beginning of all time.
  if (since === undefined || Date.parse(since) <= 0) return "";
  const seconds = Math.max(0, Math.floor((now - Date.parse(since)) / 1000));
  const [size, unit] = units.find(([length]) => seconds >= 2 * length) ?? [1, "s"];
  return `${Math.floor(seconds / size)}${unit}`;
};

/** Messages tell when something began; people ask how long ago that is. */
const withAges = (message: string, now: number): string =>
  message.replaceAll(/(?<= since )\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (since) => ageOf(since, now));

const goodOf = ({ type, status }: Pick<Standing, "type" | "status">): boolean | undefined =>
  status === "Unknown" ? undefined : (status === "True") !== isNegative({ type });

const standingLine = (name: string, standing: Standing | undefined, replicas: string, now: number): Line => {
  if (standing === undefined) return { name, replicas, status: "", reason: "", since: "", message: "", good: true };
  const { type, status, reason, message, since, remark } = standing;
  const good = goodOf(standing);
  // What is as it should be needs no explanation, but a group names its members.
  const explained = good === true && !message.startsWith("See ") ? "" : withAges(message, now);
  const said = [explained, remark ?? ""].filter((text) => text !== "").join("\n");
  const given = reason === ConditionReason.noReason ? "" : reason;
  return { name, replicas, status: `${type}: ${status}`, reason: given, since: ageOf(since, now), message: said, good };
};

const titleOf = ({ role, kind, name }: TreeNode): string =>
  `${role === "" ? "" : `${role} - `}${kind === "" ? name : `${kind}/${name}`}`;

const isShown = ({ kind, name }: TreeNode, { showConditions }: RenderOptions): boolean =>
  kind !== "" && showConditions.some((what) => ["all", kind, `${kind}/${name}`].includes(what));

const conditionLine = (condition: Condition, prefix: string, now: number): Line => {
  const standing = { ...condition, since: condition.lastTransitionTime };
  const line = standingLine(`${prefix}${condition.type}`, standing, "", now);
  return { ...line, status: condition.status, message: withAges(condition.message, now) };
};

const linesOf = (node: TreeNode, first: string, rest: string, options: RenderOptions): readonly Line[] => {
  const { now } = options;
  const conditions = isShown(node, options) ? node.conditions : [];
  const count = conditions.length + node.children.length;
  const branch = (index: number): string => (index === count - 1 ? "└─" : "├─");
  const below = (index: number): string => (index === count - 1 ? "  " : "│ ");
  return [
    standingLine(`${first}${titleOf(node)}`, node.standing, node.replicas ?? "", now),
    ...conditions.map((condition, index) => conditionLine(condition, `${rest}${branch(index)}`, now)),
    ...node.children.flatMap((child, index) => {
      const at = conditions.length + index;
      return linesOf(child, `${rest}${branch(at)}`, `${rest}${below(at)}`, options);
    }),
  ];
};

const headings: Line = {
  name: "NAME",
  replicas: "READY",
  status: "STATUS",
  reason: "REASON",
  since: "SINCE",
  message: "MESSAGE",
  good: true,
};

const columns = ["name", "replicas", "status", "reason", "since"] as const;

const colourOf = (good: boolean | undefined): Colour => (good === undefined ? "yellow" : good ? "green" : "red");

/** A line without anything that a terminal obeys: texts of objects may come from anywhere. */
const shownLine = ({ good, message, ...texts }: Line): Line => ({
  name: plainText(texts.name),
  replicas: plainText(texts.replicas),
  status: plainText(texts.status),
  reason: plainText(texts.reason),
  since: texts.since,
  message: plainLines(message),
  good,
});

/** The tree as text; messages of several lines continue below, in their column. */
export const renderTree = (root: TreeNode, options: RenderOptions): string => {
  const lines = [headings, ...linesOf(root, "", "", options).map(shownLine)];
  const widths = columns.map((column) => Math.max(...lines.map((line) => line[column].length)));
  const cells = (line: Line): string =>
    columns
      .map((column, index) => {
        const text = line[column].padEnd(widths[index] ?? 0);
        const isPainted = options.colour && column === "status" && line !== headings && line.status !== "";
        return paint(text, colourOf(line.good), isPainted);
      })
      .join("  ");
  const indent = " ".repeat(widths.reduce((sum, width) => sum + width + 2, 0));
  return lines
    .flatMap((line) => {
      const [message = "", ...more] = line.message.split("\n");
      return [`${cells(line)}  ${message}`, ...more.map((text) => `${indent}${text}`)];
    })
    .map((line) => `${line.trimEnd()}\n`)
    .join("");
};

/** The tree for programs: everything, nothing shortened. */
export const treeJson = ({ role, kind, name, replicas, standing, conditions, children }: TreeNode): object => ({
  ...(kind !== "" && { kind }),
  name,
  ...(role !== "" && { role }),
  ...(replicas !== undefined && { replicas }),
  ...(standing !== undefined && { standing }),
  ...(kind !== "" && { conditions }),
  children: children.map(treeJson),
});
