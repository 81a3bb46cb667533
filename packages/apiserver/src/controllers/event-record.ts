import { rfc3339 } from "@capstan/contract";
import { presentFields } from "@capstan/kube-values";
import type { KubeObject } from "@capstan/schema";
import type { ExtensionEnvironment } from "../registry/extension.ts";

/** An Event about an object. */
export interface EventRecord {
  readonly about: KubeObject;
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly message: string;
  readonly component: string;
}

type Reference = Partial<Record<"apiVersion" | "kind" | "name" | "namespace" | "uid" | "resourceVersion", string>>;

const events = { group: "", plural: "events" } as const;

/** Writes an Event; a failure is logged. Events about cluster-scoped objects are in the namespace `default`. */
export const recordEvent = ({ store, clock, random, log }: ExtensionEnvironment, event: EventRecord): void => {
  const { about, type, reason, message, component } = event;
  const { name = "", namespace, uid, resourceVersion } = about.metadata;
  const time = rfc3339(clock.now());
  const suffix = Buffer.from(random.bytes(8)).toString("hex");
  const object: KubeObject = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${suffix}`, namespace: namespace ?? "default" },
    involvedObject: presentFields<Reference>({
      apiVersion: about.apiVersion,
      kind: about.kind,
      name,
      namespace,
      uid,
      resourceVersion,
    }),
    type,
    reason,
    message,
    source: { component },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  store.create(events, object).catch((error: unknown) => {
    log.warn("cannot write an Event", { reason, object: name, error: String(error) });
  });
};
