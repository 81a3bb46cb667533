import type { KubeObject } from "@capstan/schema";
import { partOf, textOf } from "../../values/object-parts.ts";
import { type Causes, invalid, required, tooLong } from "./causes.ts";

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

export const eventNamespaceCauses = (event: KubeObject, member: string): Causes => {
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

export const coreEventCauses = (event: KubeObject): Causes => [
  ...eventNamespaceCauses(event, "involvedObject"),
  ...(hasTime(event) ? modernCauses(event, { controller: "reportingComponent", note: "message" }) : []),
];

export const modernEventCauses = (event: KubeObject): Causes => [
  ...eventNamespaceCauses(event, "regarding"),
  ...(hasTime(event) ? [] : [required("eventTime")]),
  ...modernCauses(event, { controller: "reportingController", note: "note" }),
];
