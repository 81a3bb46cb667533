import { open } from "node:fs/promises";

/** Requests as a server's audit log tells them. */
export interface Requests {
  /** By verb and resource, for example `patch machines/status`: everything but what follows. */
  readonly calls: ReadonlyMap<string, number>;
  /** Watches that were begun. */
  readonly watches: number;
  /** Everything about Leases: it depends on time, not on work. */
  readonly leases: number;
}

interface Event {
  readonly verb: string;
  readonly requestURI?: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string };
}

const reads = new Set(["get", "list"]);

export const total = ({ calls }: Requests): number => [...calls.values()].reduce((sum, count) => sum + count, 0);

export const writes = ({ calls }: Requests): number =>
  [...calls].reduce((sum, [call, count]) => (reads.has(call.split(" ", 1)[0] ?? "") ? sum : sum + count), 0);

const callOf = ({ verb, objectRef, requestURI = "" }: Event): string => {
  if (objectRef?.resource === undefined) return `${verb} ${requestURI.split("?", 1)[0]}`;
  const { resource, subresource } = objectRef;
  return `${verb} ${subresource === undefined ? resource : `${resource}/${subresource}`}`;
};

/** Counts events, one JSON object a line. */
export const countEvents = (lines: Iterable<string>): Requests => {
  const calls = new Map<string, number>();
  let watches = 0;
  let leases = 0;
  for (const line of lines) {
    if (line === "") continue;
    const event = JSON.parse(line) as Event;
    if (event.verb === "watch") watches += 1;
    else if (event.objectRef?.resource === "leases") leases += 1;
    else calls.set(callOf(event), (calls.get(callOf(event)) ?? 0) + 1);
  }
  return { calls, watches, leases };
};

/** The sum of counts. */
export const addRequests = (all: readonly Requests[]): Requests => {
  const calls = new Map<string, number>();
  for (const [call, count] of all.flatMap((each) => [...each.calls])) calls.set(call, (calls.get(call) ?? 0) + count);
  return {
    calls,
    watches: all.reduce((sum, { watches }) => sum + watches, 0),
    leases: all.reduce((sum, { leases }) => sum + leases, 0),
  };
};

/** Each request of these groups' members once: a watch when it begins, every other one when it is answered. */
export const auditPolicy = (groups: readonly string[]): object => ({
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [
    { level: "Metadata", userGroups: groups, verbs: ["watch"], omitStages: ["ResponseComplete"] },
    { level: "Metadata", userGroups: groups, omitStages: ["ResponseStarted"] },
  ],
});

const portionBytes = 4 * 1024 * 1024;

/** An audit log that is being written. */
export class AuditLog {
  readonly #path: string;
  #position = 0;
  #rest = "";

  constructor(path: string) {
    this.#path = path;
  }

  /** Returns the requests recorded since the last call. */
  async take(): Promise<Requests> {
    const counted: Requests[] = [];
    const file = await open(this.#path);
    try {
      const buffer = Buffer.alloc(portionBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, portionBytes, this.#position);
        if (bytesRead === 0) return addRequests(counted);
        this.#position += bytesRead;
        // Nothing but ASCII: every name here is.
        const lines = (this.#rest + buffer.toString("latin1", 0, bytesRead)).split("\n");
        this.#rest = lines.pop() ?? "";
        counted.push(countEvents(lines));
      }
    } finally {
      await file.close();
    }
  }
}
