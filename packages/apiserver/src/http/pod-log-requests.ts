import type { KubeObject } from "@capstan/schema";
import { badRequest, internalError, invalidOptions, optionCause } from "../model/status-error.ts";
import type { LogLine, ReadPodLog } from "../model/pod-access.ts";
import type { StatusCause } from "../model/types.ts";
import { isTrue, numberOption } from "./query-values.ts";
import { readItem } from "./item-requests.ts";
import { type Reply, textReply } from "./reply.ts";
import type { ResourceRequest } from "./resource-request.ts";

interface ContainerState {
  readonly running?: { readonly startedAt?: string };
  readonly terminated?: object;
  readonly waiting?: { readonly reason?: string };
}

interface ContainerStatus {
  readonly name: string;
  readonly restartCount?: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface Pod extends KubeObject {
  readonly spec?: Readonly<
    Record<"containers" | "ephemeralContainers" | "initContainers", readonly { name: string }[]>
  > & {
    readonly nodeName?: string;
  };
  readonly status?: Readonly<
    Record<"containerStatuses" | "ephemeralContainerStatuses" | "initContainerStatuses", readonly ContainerStatus[]>
  >;
}

/** PodLogOptions, from a query. */
interface LogOptions {
  readonly container: string;
  readonly previous: boolean;
  readonly follow: boolean;
  readonly timestamps: boolean;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
}

const invalidValue = (field: string, value: number, least: number): StatusCause =>
  optionCause(
    field,
    "FieldValueInvalid",
    `Invalid value: ${value}: must be ${least === 0 ? "greater than or equal to 0" : "greater than 0"}`,
  );

const leastOf = { tailLines: 0, limitBytes: 1, sinceSeconds: 1 } as const;

const sinceOf = (query: URLSearchParams, seconds: number | undefined, now: number): number | undefined => {
  if (seconds !== undefined) return now - seconds * 1000;
  const text = query.get("sinceTime");
  if (text === null) return undefined;
  const time = Date.parse(text);
  if (Number.isNaN(time)) throw badRequest(`invalid value ${JSON.stringify(text)} for sinceTime: must be RFC 3339`);
  return time;
};

const logOptions = (query: URLSearchParams, now: number): LogOptions => {
  const [tailLines, limitBytes, sinceSeconds] = (["tailLines", "limitBytes", "sinceSeconds"] as const).map((name) =>
    numberOption(query, name),
  );
  const causes = Object.entries({ tailLines, limitBytes, sinceSeconds }).flatMap(([name, value]) => {
    const least = leastOf[name as keyof typeof leastOf];
    return value !== undefined && value < least ? [invalidValue(name, value, least)] : [];
  });
  if (sinceSeconds !== undefined && query.has("sinceTime")) {
    const message = "Forbidden: at most one of `sinceTime` or `sinceSeconds` may be specified";
    causes.push(optionCause("sinceSeconds", "FieldValueForbidden", message));
  }
  if (causes.length > 0) throw invalidOptions("PodLogOptions", causes);
  return {
    container: query.get("container") ?? "",
    previous: isTrue(query.get("previous")),
    follow: isTrue(query.get("follow")),
    timestamps: isTrue(query.get("timestamps")),
    since: sinceOf(query, sinceSeconds, now),
    tailLines,
    limitBytes,
  };
};

const namesOf = (list: readonly { readonly name: string }[] | undefined): readonly string[] =>
  (list ?? []).map(({ name }) => name);

/** The container that is asked for, or the only one. Throws a 400. */
const containerOf = ({ metadata: { name = "" }, spec }: Pod, asked: string): string => {
  const containers = namesOf(spec?.containers);
  const others = { init: namesOf(spec?.initContainers), ephemeral: namesOf(spec?.ephemeralContainers) };
  if (asked === "") {
    const [only] = containers;
    if (only !== undefined && containers.length === 1) return only;
    const further = Object.entries(others)
      .filter(([, names]) => names.length > 0)
      .map(([kind, names]) => ` or one of the ${kind} containers: [${names.join(" ")}]`);
    const choice = `choose one of: [${containers.join(" ")}]${further.join("")}`;
    throw badRequest(`a container name must be specified for pod ${name}, ${choice}`);
  }
  if ([containers, others.init, others.ephemeral].some((names) => names.includes(asked))) return asked;
  throw badRequest(`container ${asked} is not valid for pod ${name}`);
};

const statusOf = ({ status }: Pod, container: string): ContainerStatus | undefined =>
  [status?.containerStatuses, status?.initContainerStatuses, status?.ephemeralContainerStatuses]
    .flatMap((list) => list ?? [])
    .find(({ name }) => name === container);

/** Throws the 400 of a kubelet whose container has written nothing yet. */
const checkStarted = (pod: Pod, container: string, previous: boolean): void => {
  const { state = {}, lastState = {} } = statusOf(pod, container) ?? {};
  const named = `container "${container}" in pod "${pod.metadata.name}"`;
  if (previous && lastState.terminated === undefined) throw badRequest(`previous terminated ${named} not found`);
  if ([state.running, state.terminated, lastState.terminated].every((each) => each === undefined)) {
    throw badRequest(`${named} is waiting to start: ${state.waiting?.reason ?? "ContainerCreating"}`);
  }
};

const isSelected =
  (since: number | undefined) =>
  ({ time }: LogLine): boolean =>
    since === undefined || time >= since;

const textOf = (lines: readonly LogLine[], timestamps: boolean): string =>
  lines
    .map(({ time, text }) => `${timestamps ? `${new Date(time).toISOString().replace("Z", "000000Z")} ` : ""}${text}\n`)
    .join("");

/** Counts what is sent, up to the limit. */
const limiter = (limitBytes = Infinity): ((text: string) => Buffer) => {
  let left = limitBytes;
  return (text) => {
    const bytes = Buffer.from(text).subarray(0, left);
    left -= bytes.length;
    return bytes;
  };
};

/** One container's log, as far as a client wants it. */
interface LogRead {
  readonly container: string;
  readonly options: LogOptions;
  readonly read: ReadPodLog;
}

const readLines = async (pod: Pod, { container, options, read }: LogRead): Promise<readonly LogLine[]> => {
  try {
    const lines = await read(pod, { name: container, previous: options.previous });
    return lines.filter(isSelected(options.since));
  } catch (error) {
    throw internalError((error as Error).message, error);
  }
};

const startOf = (pod: Pod, container: string): string =>
  `${pod.metadata.uid}/${statusOf(pod, container)?.state?.running?.startedAt ?? ""}`;

/** Lines of a log that were read before, and those of them that the client wants. */
interface ReadBefore {
  readonly lines: readonly LogLine[];
  readonly wanted: readonly LogLine[];
}

/** Sends what comes to the log until the container has ended, the client has gone or the server stops. */
const followLog = async (context: ResourceRequest, pod: Pod, log: LogRead, before: ReadBefore): Promise<void> => {
  const { core, definition, response } = context;
  const { container, options } = log;
  const limited = limiter(options.limitBytes);
  const ended = Promise.withResolvers<void>();
  let sent = before.lines.length;
  const write = (lines: readonly LogLine[]): void => {
    const bytes = limited(textOf(lines, options.timestamps));
    if (bytes.length > 0) response.write(bytes);
  };
  const read = async (now: Pod): Promise<void> => {
    const lines = await readLines(now, log);
    write(lines.slice(sent));
    sent = Math.max(sent, lines.length);
  };
  let reading = Promise.resolve();
  const start = startOf(pod, container);
  const { name = "", namespace = "" } = pod.metadata;
  response.writeHead(200, { "Content-Type": "text/plain", "Cache-Control": "no-cache, private" });
  response.flushHeaders();
  context.audit?.started(200);
  write(before.wanted);
  const stopWatch = core.store.watch(
    { group: definition.group, plural: definition.plural },
    ({ type, object }) => {
      if (type === "DELETED" || startOf(object, container) !== start) return ended.resolve();
      reading = reading
        .then(() => read(object as Pod))
        .catch((error: unknown) => {
          core.log.debug("a log is no longer followed", { namespace, name, error: String(error) });
          ended.resolve();
        });
    },
    { namespace, fieldSelector: `metadata.name=${name}` },
  );
  const forgetStop = context.onStop(() => ended.resolve());
  response.once("close", () => ended.resolve());
  if (response.destroyed) ended.resolve();
  await ended.promise;
  stopWatch();
  forgetStop();
  await reading;
  response.end();
};

/** Answers GET pods/NAME/log. Returns nothing when the answer was streamed. */
export const podLog = async (context: ResourceRequest): Promise<Reply | undefined> => {
  const { core, subresource, url } = context;
  const behaviour = subresource?.behaviour;
  if (behaviour?.type !== "log") throw internalError("the log of a Pod has no reader");
  const options = logOptions(url.searchParams, core.clock.now());
  const pod = (await readItem(context)).object as Pod;
  const container = containerOf(pod, options.container);
  if ((pod.spec?.nodeName ?? "") === "") return textReply(200, "");
  checkStarted(pod, container, options.previous);
  const log: LogRead = { container, options, read: behaviour.read };
  const lines = await readLines(pod, log);
  const { limitBytes, tailLines, timestamps } = options;
  const wanted = tailLines === undefined ? lines : lines.slice(Math.max(0, lines.length - tailLines));
  if (!options.follow || statusOf(pod, container)?.state?.running === undefined) {
    return { code: 200, contentType: "text/plain", body: limiter(limitBytes)(textOf(wanted, timestamps)) };
  }
  await followLog(context, pod, log, { lines, wanted });
  return undefined;
};
