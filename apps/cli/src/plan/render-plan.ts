import type { PlannedResourceV1 } from "@capstan/contract/v1";
import { type Colour, paint } from "../colours.ts";
import type { Change } from "./changes.ts";
import { nameOf } from "../manifest/identity.ts";
import { hasWork, type Plan, type PlannedObject, type PlanProblem } from "./plan.ts";

const marks = { create: "+", change: "~", replace: "±", delete: "-", keep: " " } as const;
const actions = ["create", "change", "replace", "delete"] as const;

const value = (found: unknown): string => {
  const text = found === undefined ? "(none)" : JSON.stringify(found);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const changeLine = ({ field, from, to }: Change): string => `      ${field}: ${value(from)} → ${value(to)}`;

const times = (count: number): string => (count === 1 ? "" : `${count} × `);

const colours = { create: "green", change: "yellow", replace: "yellow", delete: "red", keep: undefined } as const;

/** A line of its action's colour. */
type Painter = (line: string, colour: Colour | undefined) => string;

const objectLines =
  (painted: Painter) =>
  ({ action, object, count, changes, note }: PlannedObject): readonly string[] => [
    painted(
      `  ${marks[action]} ${times(count)}${nameOf(object)}${note === undefined ? "" : ` (${note})`}`,
      colours[action],
    ),
    ...changes.map(changeLine),
  ];

const money = (amount: number, currency: string): string => `${amount.toFixed(2)} ${currency}`;

const resourceLines =
  (painted: Painter) =>
  (resource: PlannedResourceV1): readonly string[] => {
    const { action, type, name, count, description, price, changes = [], drift } = resource;
    const cost =
      price === undefined || action === "keep"
        ? ""
        : `, ${money(price.monthly, price.currency)} a month${count > 1 ? " each" : ""}`;
    return [
      painted(
        `  ${drift === undefined ? marks[action] : "!"} ${times(count)}${type} ${name}${description === undefined ? "" : `: ${description}`}${cost}`,
        drift === undefined ? colours[action] : "red",
      ),
      ...changes.map(changeLine),
      ...(drift === undefined ? [] : [`      ${drift}`]),
    ];
  };

/** Returns the change of the monthly cost by currency; replacements cost about as much as before. */
const monthlyChange = ({ cloud }: Plan): Readonly<Record<string, number>> => {
  const sums: Record<string, number> = {};
  for (const { action, price, count } of cloud) {
    const sign = action === "create" ? 1 : action === "delete" ? -1 : 0;
    if (price === undefined || sign === 0) continue;
    sums[price.currency] = (sums[price.currency] ?? 0) + sign * price.monthly * count;
  }
  return sums;
};

const countsOf = (entries: readonly { readonly action: string; readonly count: number }[]): string =>
  actions
    .map((action) => {
      const sum = entries.reduce((total, each) => total + (each.action === action ? each.count : 0), 0);
      return `${sum} to ${action}`;
    })
    .join(", ");

const summary = (plan: Plan): string => {
  const bill = Object.entries(monthlyChange(plan)).map(
    ([currency, amount]) => `, ${money(Math.abs(amount), currency)} a month ${amount < 0 ? "less" : "more"}`,
  );
  const drift = plan.cloud.filter((each) => each.drift !== undefined).length;
  return [
    `In Kubernetes: ${countsOf(plan.objects)}`,
    `At the cloud: ${countsOf(plan.cloud)}${drift > 0 ? `, ${drift} drifted` : ""}${bill.join("")}`,
  ].join("\n");
};

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [title, ...lines, ""];

const sentence = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;

const problemLines = (problems: readonly PlanProblem[]): readonly string[] => [
  ...new Set(problems.map(({ where, message }) => `  ${where}: ${message.replaceAll("\n", "\n    ")}`)),
];

/** A plan for people. Without files it tells whether what is there is as it should be. */
export const renderPlan = (
  plan: Plan,
  { colour = false, ofFiles = true }: { readonly ofFiles?: boolean; readonly colour?: boolean } = {},
): string => {
  const painted: Painter = (line, chosen) => (chosen === undefined ? line : paint(line, chosen, colour));
  const red = (lines: readonly string[]): readonly string[] => lines.map((line) => painted(line, "red"));
  const objects = plan.objects.filter(({ action, note }) => action !== "keep" || note !== undefined);
  const cloud = plan.cloud.filter(({ action, drift }) => action !== "keep" || drift !== undefined);
  return [
    ...section("Kubernetes", objects.flatMap(objectLines(painted))),
    ...section("Cloud", cloud.flatMap(resourceLines(painted))),
    ...section(
      "No longer in any file, but kept (--prune deletes)",
      plan.leftOver.map((object) => `    ${nameOf(object)}`),
    ),
    ...(plan.leftOut === undefined ? [] : [sentence(plan.leftOut), ""]),
    ...section("Warnings of the management API", problemLines(plan.warnings)),
    ...section("Will fail", red(problemLines(plan.failures))),
    ...section("Wrong", red(problemLines(plan.problems))),
    hasWork(plan) || plan.problems.length > 0
      ? summary(plan)
      : `nothing to do: everything ${plan.leftOver.length > 0 ? "in the files " : ""}is as ${ofFiles ? "the files say" : "the management API says; -f names files to compare with"}`,
    "",
  ].join("\n");
};

const reference = ({ apiVersion, kind, metadata: { namespace, name } }: PlannedObject["object"]) => ({
  apiVersion,
  kind,
  ...(namespace !== undefined && { namespace }),
  name,
});

/** A plan for programs; objects are named, not shown. */
export const planJson = (plan: Plan): object => ({
  objects: plan.objects.map(({ object, ...rest }) => ({ ...rest, object: reference(object) })),
  cloud: plan.cloud.map(({ object, ...rest }) => ({ ...rest, object: reference(object) })),
  leftOver: plan.leftOver.map(reference),
  ...(plan.leftOut !== undefined && { leftOut: plan.leftOut }),
  problems: plan.problems,
  failures: plan.failures,
  warnings: plan.warnings,
  monthly: monthlyChange(plan),
  work: hasWork(plan),
});
