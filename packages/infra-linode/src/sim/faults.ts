/** What goes wrong with a request. */
export type FaultAction =
  /** Answered without effect. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly reason?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection breaks before the request has an effect. */
  | { readonly kind: "reset" }
  /** The request has its effect; the connection breaks instead of an answer. */
  | { readonly kind: "lost-answer" }
  /** The request waits this long, then goes on as usual. */
  | { readonly kind: "delay"; readonly ms: number };

/** One planned fault, as data. */
export interface Fault {
  /** Default: any. */
  readonly method?: string;
  /** Path below the API version; a segment `*` stands for any one, so that any id matches. Default: any. */
  readonly path?: string;
  /** Which of the matching requests is the first to fail, counted from 1 and from when the fault was added. Default 1. */
  readonly nth?: number;
  /** How many fail, one after the other. Default 1. */
  readonly times?: number;
  readonly action: FaultAction;
}

/** The planned faults of a simulator. */
export interface Faults {
  /** Returns a function that takes the fault away again. */
  add(fault: Fault): () => void;
  clear(): void;
  /** Faults that have not happened as often as planned. */
  pending(): readonly Fault[];
}

interface Planned {
  readonly fault: Fault;
  seen: number;
}

export class FaultPlan implements Faults {
  readonly #planned = new Set<Planned>();

  constructor(faults: readonly Fault[] = []) {
    for (const fault of faults) this.add(fault);
  }

  add(fault: Fault): () => void {
    const planned = { fault, seen: 0 };
    this.#planned.add(planned);
    return () => {
      this.#planned.delete(planned);
    };
  }

  clear(): void {
    this.#planned.clear();
  }

  pending(): readonly Fault[] {
    return [...this.#planned].filter(({ fault, seen }) => seen < last(fault)).map(({ fault }) => fault);
  }

  /** The first fault due for this request; every matching fault counts the request. */
  next(method: string, path: string): FaultAction | undefined {
    let action: FaultAction | undefined;
    for (const planned of this.#planned) {
      const { fault } = planned;
      if (!matches(fault, method, path)) continue;
      planned.seen += 1;
      if (planned.seen >= (fault.nth ?? 1) && planned.seen <= last(fault)) action ??= fault.action;
    }
    return action;
  }
}

const last = (fault: Fault): number => (fault.nth ?? 1) + (fault.times ?? 1) - 1;

const matches = (fault: Fault, method: string, path: string): boolean =>
  (fault.method === undefined || fault.method === method) &&
  (fault.path === undefined || matchesPath(fault.path.split("/"), path.split("/")));

const matchesPath = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.length === segments.length && pattern.every((part, index) => part === "*" || part === segments[index]);
