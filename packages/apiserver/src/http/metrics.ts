import type { IncomingMessage, ServerResponse } from "node:http";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { Extension } from "../registry/extension.ts";
import type { Core } from "../registry/resource-store.ts";
import type { RequestInfo } from "../model/types.ts";
import type { Handler } from "./context.ts";
import { requestInfo } from "./request-info.ts";

/** Metrics of the server; names and labels are those of kube-apiserver. */
export interface ServerMetrics {
  /** Counts a request from now until it is answered. */
  observe(request: IncomingMessage, response: ServerResponse): void;
  /** Answers `/metrics`, in the text format of Prometheus. */
  readonly endpoint: Handler;
}

/** Seconds. */
const buckets = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60];

const requestLabels = ["verb", "group", "version", "resource", "subresource", "scope", "component"] as const;
type RequestLabels = Record<(typeof requestLabels)[number], string>;

const verbs: Readonly<Record<string, string>> = { create: "POST", update: "PUT" };

const scopeOf = (info: RequestInfo): string =>
  info.name !== "" || info.verb === "create" ? "resource" : info.namespace === "" ? "cluster" : "namespace";

const isApply = ({ headers }: IncomingMessage): boolean =>
  headers["content-type"]?.startsWith("application/apply-patch+yaml") === true;

/** Only what the server knows becomes a label, so that clients cannot make up series. */
const labelsOf = (core: Core, request: IncomingMessage): RequestLabels => {
  const none = { verb: request.method ?? "", group: "", version: "", resource: "", subresource: "", scope: "" };
  const component = "apiserver";
  let info: RequestInfo;
  try {
    info = requestInfo(request.method ?? "GET", new URL(`https://server${request.url ?? "/"}`));
  } catch {
    return { ...none, component };
  }
  const { group, version, resource, subresource } = info;
  const definition = info.isResource ? core.registry.snapshot.find(group, version, resource) : undefined;
  if (definition === undefined) {
    return { ...none, component };
  }
  const isKnown = definition.subresources.some(({ name }) => name === subresource);
  return {
    verb: info.verb === "patch" && isApply(request) ? "APPLY" : (verbs[info.verb] ?? info.verb.toUpperCase()),
    group,
    version,
    resource,
    subresource: isKnown ? subresource : "",
    scope: scopeOf(info),
    component,
  };
};

const storageMetrics = ({ storage }: Core, registers: Registry[]): void => {
  const objects: Gauge = new Gauge({
    name: "apiserver_storage_objects",
    help: "Stored objects, by resource.",
    labelNames: ["resource"],
    registers,
    collect: () => {
      objects.reset();
      for (const { name, size } of storage.collections) {
        const [group = "", plural = ""] = name.split("/");
        objects.set({ resource: group === "" ? plural : `${plural}.${group}` }, size);
      }
    },
  });
  const revision: Gauge = new Gauge({
    name: "apiserver_storage_revision",
    help: "The resourceVersion of the last change.",
    registers,
    collect: () => {
      revision.set(storage.revision);
    },
  });
};

const addGauge = (registers: Registry[], name: string, help: string, value: () => number): void => {
  const metric: Gauge = new Gauge({ name, help, registers, collect: () => metric.set(value()) });
};

const processMetrics = (startedAt: number, registers: Registry[]): void => {
  const gauge = (name: string, help: string, value: () => number): void => addGauge(registers, name, help, value);
  gauge("process_resident_memory_bytes", "Resident memory of the process.", () => process.memoryUsage.rss());
  gauge("process_start_time_seconds", "When the server was started, in Unix time.", () => startedAt / 1000);
  gauge("process_cpu_seconds_total", "Processor time the process has used.", () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000_000;
  });
};

/** Metrics of one server and its extensions. */
export const serverMetrics = (core: Core, extensions: readonly Extension[]): ServerMetrics => {
  const registry = new Registry();
  const registers = [registry];
  const { clock } = core;
  const total = new Counter({
    name: "apiserver_request_total",
    help: "Answered requests.",
    labelNames: [...requestLabels, "code", "dry_run"],
    registers,
  });
  const duration = new Histogram({
    name: "apiserver_request_duration_seconds",
    help: "Time until requests were answered; watches last until they end.",
    labelNames: [...requestLabels, "dry_run"],
    buckets,
    registers,
  });
  const longRunning = new Gauge({
    name: "apiserver_longrunning_requests",
    help: "Open watches.",
    labelNames: [...requestLabels],
    registers,
  });
  const inFlight = new Gauge({
    name: "apiserver_current_inflight_requests",
    help: "Requests that are being answered, without watches.",
    labelNames: ["request_kind"],
    registers,
  });
  storageMetrics(core, registers);
  processMetrics(clock.now(), registers);
  for (const gauge of extensions.flatMap(({ gauges = [] }) => gauges)) {
    addGauge(registers, gauge.name, gauge.help, () => gauge.value());
  }
  return {
    observe: (request, response) => {
      const started = clock.now();
      const labels = labelsOf(core, request);
      const current = labels.verb === "WATCH" ? longRunning.labels(labels) : inFlight.labels(kindOf(request));
      current.inc();
      response.once("close", () => {
        current.dec();
        const dry = { dry_run: /[?&]dryRun=All\b/.test(request.url ?? "") ? "All" : "" };
        total.inc({ ...labels, ...dry, code: String(response.statusCode) });
        duration.observe({ ...labels, ...dry }, (clock.now() - started) / 1000);
      });
    },
    endpoint: async () => ({ code: 200, contentType: registry.contentType, body: await registry.metrics() }),
  };
};

const kindOf = ({ method }: IncomingMessage) => ({ request_kind: method === "GET" ? "readOnly" : "mutating" });
