import { json, object, text, type ValueOf } from "../api/shape.ts";
import { expressionOf } from "../faults/fault-plan.ts";
import type { Fault, FaultAction } from "../faults/fault.ts";
import { parseFaults } from "../faults/fault-script.ts";
import { invalid } from "../http/refusal.ts";

const kinds = [
  "status",
  "html",
  "reset",
  "lost-answer",
  "other-answer",
  "truncated",
  "delay",
  "operation-failed",
  "operation-vanishes",
] as const satisfies readonly FaultAction["kind"][];

const count = { type: "integer", min: 1 } as const;
const status = { type: "integer", min: 100, max: 599 } as const;

const action = object(
  {
    kind: text({ enum: kinds }),
    status,
    code: text(),
    message: text(),
    headers: { type: "strings" },
    body: text(),
    contentType: text(),
    bytes: { type: "integer", min: 0 },
    ms: { type: "integer", min: 0 },
  },
  ["kind"],
);

/** A fault as the control interface takes it, or a script of faults. */
export const faultShape = object({
  method: text(),
  path: text(),
  body: json,
  nth: count,
  times: count,
  group: text(),
  action,
  script: text(),
});

type FaultBody = ValueOf<typeof faultShape>;

/** The service that stands before a script, and the rest of it. */
export const placedScript = (text: string): { readonly service: string | undefined; readonly script: string } => {
  const [, service, script = text] = /^([a-z][a-z0-9-]*)\s+(.*)$/s.exec(text.trim()) ?? [];
  return { service, script };
};

/** The faults of a request body. In JSON `path` is a regular expression in any letter case, and the reason is called `message`. */
export const faultsOf = ({ script, group, ...fault }: FaultBody): readonly Fault[] => {
  const common = group === undefined ? {} : { group };
  if (script !== undefined) return parseFaults(script).map((parsed) => ({ ...parsed, ...common }));
  const { action: wanted, path, body, ...rest } = fault;
  if (wanted === undefined) throw invalid("action or script is required", "action");
  return [
    {
      ...rest,
      ...common,
      ...(path === undefined ? {} : { path: expression(path) }),
      ...(body === undefined ? {} : { body: body as NonNullable<Fault["body"]> }),
      action: actionOf(wanted),
    },
  ];
};

const expression = (path: string): RegExp => {
  try {
    return new RegExp(path, "i");
  } catch (cause) {
    throw invalid(`is not a regular expression: ${String(cause)}`, "path");
  }
};

const requiredField: Partial<Record<FaultAction["kind"], "status" | "body" | "ms">> = {
  status: "status",
  "other-answer": "body",
  delay: "ms",
};

const actionOf = ({ message, ...fields }: ValueOf<typeof action>): FaultAction => {
  const required = requiredField[fields.kind];
  if (required !== undefined && fields[required] === undefined) {
    throw invalid(`${required} is required`, `action.${required}`);
  }
  return { ...fields, ...(message === undefined ? {} : { reason: message }) } as FaultAction;
};

/** A fault as the control interface shows it. */
export const faultJson = ({ path, times, action: planned, ...fault }: Fault): unknown => {
  const { reason, ...fields } = planned as FaultAction & { readonly reason?: string };
  return {
    ...fault,
    ...(times === undefined ? {} : { times: Number.isFinite(times) ? times : "always" }),
    ...(path === undefined ? {} : { path: expressionOf(path).source.replaceAll("\\/", "/") }),
    action: { ...fields, ...(reason === undefined ? {} : { message: reason }) },
  };
};
