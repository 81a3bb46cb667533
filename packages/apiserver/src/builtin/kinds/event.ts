import type { KubeObject } from "@capstan/schema";
import type { KindBehaviour } from "./kind-behaviour.ts";
import { invalid, required, tooLong } from "../validation/causes.ts";
import type { Causes } from "../validation/causes.ts";
import { partOf, textOf } from "../../values/object-parts.ts";

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

/** Rules of events that carry eventTime, named as the client's version names the members. */
const modernCauses = (event: KubeObject, names: { readonly controller: string; readonly note: string }): Causes => {
  const limits = { reportingInstance: 128, action: 128, reason: 128 };
  const missing = [names.controller, ...Object.keys(limits)].filter((name) => textOf(event[name]) === "");
  return [
    ...missing.map((name) => required(name)),
    ...Object.entries(limits)
      .filter(([name, limit]) => textOf(event[name]).length > limit)
      .map(([name, limit]) => tooLong(name, limit)),
    ...(textOf(event[names.note]).length > 1024 ? [tooLong(names.note, 1024)] : []),
  ];
};

const namespaceCauses = (event: KubeObject, member: string): Causes => {
  const named = textOf(partOf(event[member])["namespace"]);
  const own = textOf(event.metadata.namespace);
  const matches = named === "" ? own === "default" : named === own;
  return matches
    ? []
    : [
        invalid(
          `${member === "regarding" ? "regarding" : "involvedObject"}.namespace`,
          named,
          "does not match event.namespace",
        ),
      ];
};

const hasTime = (event: KubeObject): boolean => textOf(event["eventTime"]) !== "";

const coreCauses = (event: KubeObject): Causes => [
  ...namespaceCauses(event, "involvedObject"),
  ...(hasTime(event) ? modernCauses(event, { controller: "reportingComponent", note: "message" }) : []),
];

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
  strategy: { ...strategy, validate: coreCauses, validateUpdate: (event) => namespaceCauses(event, "involvedObject") },
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
    validate: (event) => [
      ...namespaceCauses(event, "regarding"),
      ...(hasTime(event) ? [] : [required("eventTime")]),
      ...modernCauses(event, { controller: "reportingController", note: "note" }),
    ],
    validateUpdate: (event) => namespaceCauses(event, "regarding"),
  },
};
