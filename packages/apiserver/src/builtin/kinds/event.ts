import type { KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../../values/object-parts.ts";
import { coreEventCauses, eventNamespaceCauses, modernEventCauses } from "../validation/event.ts";
import type { KindBehaviour } from "./kind-behaviour.ts";

/** Members of events.k8s.io events by the name of the same member in core events, which are what is stored. */
const renamed: readonly (readonly [core: string, modern: string])[] = [
  ["involvedObject", "regarding"],
  ["message", "note"],
  ["reportingComponent", "reportingController"],
  ["source", "deprecatedSource"],
  ["firstTimestamp", "deprecatedFirstTimestamp"],
  ["lastTimestamp", "deprecatedLastTimestamp"],
  ["count", "deprecatedCount"],
];

const toModern = new Map(renamed);

const toCore = new Map(renamed.map(([core, modern]) => [modern, core]));

const converted = (object: KubeObject, apiVersion: string, names: ReadonlyMap<string, string>): KubeObject =>
  ({
    ...Object.fromEntries(Object.entries(object).map(([name, value]) => [names.get(name) ?? name, value])),
    apiVersion,
  }) as KubeObject;

const referenceFields = ["kind", "namespace", "name", "uid", "apiVersion", "resourceVersion", "fieldPath"];

/** Field selectors on the object an event is about. */
const referenceSelectors = (member: string) =>
  Object.fromEntries(
    referenceFields.map((field) => [
      `${member}.${field}`,
      (event: KubeObject): string => textOf(partOf(event[member])[field]),
    ]),
  );

const strategy = { generation: false, unconditionalUpdate: true, createOnUpdate: true } as const;

export const coreEvents: KindBehaviour = {
  selectableFields: {
    ...referenceSelectors("involvedObject"),
    reason: (event) => textOf(event["reason"]),
    reportingComponent: (event) => textOf(event["reportingComponent"]),
    source: (event) => textOf(partOf(event["source"])["component"]) || textOf(event["reportingComponent"]),
    type: (event) => textOf(event["type"]),
  },
  strategy: {
    ...strategy,
    validate: coreEventCauses,
    validateUpdate: (event) => eventNamespaceCauses(event, "involvedObject"),
  },
};

export const modernEvents: KindBehaviour = {
  selectableFields: {
    ...referenceSelectors("regarding"),
    reason: (event) => textOf(event["reason"]),
    reportingController: (event) => textOf(event["reportingController"]),
    type: (event) => textOf(event["type"]),
  },
  storage: {
    store: "/events",
    apiVersion: "v1",
    toStorage: (events) => Promise.resolve(events.map((event) => converted(event, "v1", toCore))),
    fromStorage: (events) => Promise.resolve(events.map((event) => converted(event, "events.k8s.io/v1", toModern))),
  },
  strategy: {
    ...strategy,
    validate: modernEventCauses,
    validateUpdate: (event) => eventNamespaceCauses(event, "regarding"),
  },
};
