import { CapstanError } from "@capstan/contract";
import { isJsonObject } from "@capstan/schema";
import { literalPattern } from "../text/literal-pattern.ts";
import type { Fault, FaultAction } from "./fault.ts";

/** The planned faults of a service. */
export interface Faults {
  /** Returns a function that takes the fault away again. Throws `simulation.fault_unsupported` for one that cannot happen here. */
  add(fault: Fault): () => void;
  /** Removes all faults, or those that `which` names. */
  clear(which?: (fault: Fault) => boolean): void;
  /** Faults that have not happened as often as planned. */
  pending(): readonly Fault[];
}

/** Properties of a request that faults are matched with. */
export interface FaultSubject {
  readonly method: string;
  readonly path: string;
  /** The JSON of the body; asked for only by faults that look at it. */
  readonly body: () => unknown;
}

interface Planned {
  readonly fault: Fault;
  readonly path: RegExp;
  seen: number;
}

export class FaultPlan implements Faults {
  readonly #operations: boolean;
  readonly #planned = new Set<Planned>();

  /** `operations`: whether the service begins operations that a fault can be planned for. */
  constructor(faults: readonly Fault[] = [], { operations = false }: { readonly operations?: boolean } = {}) {
    this.#operations = operations;
    for (const fault of faults) this.add(fault);
  }

  add(fault: Fault): () => void {
    if (!this.#operations && fault.action.kind.startsWith("operation-")) throw unsupported(fault.action.kind);
    const planned = { fault, path: expressionOf(fault.path), seen: 0 };
    this.#planned.add(planned);
    return () => {
      this.#planned.delete(planned);
    };
  }

  clear(which: (fault: Fault) => boolean = () => true): void {
    for (const planned of this.#planned) if (which(planned.fault)) this.#planned.delete(planned);
  }

  pending(): readonly Fault[] {
    return [...this.#planned].filter(({ fault, seen }) => seen < last(fault)).map(({ fault }) => fault);
  }

  /** The first fault due for this request; every matching fault counts the request. */
  next(subject: FaultSubject): FaultAction | undefined {
    let action: FaultAction | undefined;
    for (const planned of this.#planned) {
      if (!matches(planned, subject)) continue;
      const { fault } = planned;
      planned.seen += 1;
      if (planned.seen >= (fault.nth ?? 1) && planned.seen <= last(fault)) action ??= fault.action;
    }
    return action;
  }
}

const last = (fault: Fault): number => (fault.nth ?? 1) + (fault.times ?? 1) - 1;

const matches = ({ fault, path }: Planned, subject: FaultSubject): boolean =>
  (fault.method === undefined || fault.method === subject.method) &&
  path.test(subject.path) &&
  (fault.body === undefined || contains(subject.body(), fault.body));

/** The expression for a path of a fault. */
export const expressionOf = (path: Fault["path"]): RegExp => {
  if (path instanceof RegExp) return path;
  if (path === undefined) return /^/;
  const segments = path
    .replace(/^\//, "")
    .split("/")
    .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]+" : literalPattern(part)));
  return new RegExp(`^/?${segments.join("/")}$`);
};

/** Returns whether a value has everything that the other has; lists have to be equal in length. */
const contains = (value: unknown, part: unknown): boolean => {
  if (Array.isArray(part)) {
    return (
      Array.isArray(value) && value.length === part.length && part.every((item, index) => contains(value[index], item))
    );
  }
  if (!isJsonObject(part)) return value === part;
  return isJsonObject(value) && Object.entries(part).every(([name, wanted]) => contains(value[name], wanted));
};

const unsupported = (kind: string): CapstanError =>
  new CapstanError({
    code: "simulation.fault_unsupported",
    reason: "FaultUnsupported",
    message: `A fault with the action ${kind} cannot happen here: the simulated service begins no operations. Use another action.`,
    retry: { kind: "never" },
  });
