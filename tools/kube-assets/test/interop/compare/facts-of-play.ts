import { isCapstanError } from "@capstan/contract";
import type { AnyObject } from "../world.ts";
import { flatten, type Put } from "./flatten.ts";
import type { Play } from "./play.ts";
import { Event, Node } from "./stage.ts";

const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;
const notCompared = new Set([
  "uid",
  "resourceVersion",
  "generation",
  "managedFields",
  "creationTimestamp",
  "deletionGracePeriodSeconds",
  "name",
  "namespace",
  "selfLink",
]);

/** What is made at random, by what stands for it. */
const random: readonly (readonly [RegExp, string])[] = [
  [time, "TIME"],
  [/\b[a-z0-9]{6}\.[a-z0-9]{16}\b/g, "TOKEN"],
  [/sha256:[0-9a-f]{64}/g, "sha256:HASH"],
  [/-----BEGIN ([A-Z ]+)-----[\s\S]+?-----END [A-Z ]+-----/g, "PEM of $1"],
  [/LS0tLS1CRUdJTi[\w+/=]*/g, "PEM in base64"],
];

/** Turns what is different in every play into what is the same: names, namespaces, times, and what is made at random. */
export const normalizer = (play: Play) => {
  const names = [...play.aliases].toSorted(([a], [b]) => b.length - a.length);
  const inText = (text: string): string => {
    let result = text;
    for (const [name, alias] of names) result = result.replaceAll(name, alias);
    result = result.replaceAll(play.namespace, "NAMESPACE");
    for (const [pattern, stand] of random) result = result.replaceAll(pattern, stand);
    return result;
  };
  return inText;
};

/** Messages name several Machines in an order that their random names make, and reasons of the older version the first of them. */
const anyMachine = (message: string): string => {
  const parts = message.replaceAll(/~\d+/g, "~N").split(/\n(?=\* )/);
  const ofMachines = parts.every((part) => /^\* Machines? /.test(part));
  return (ofMachines ? parts.toSorted((a, b) => a.localeCompare(b)) : parts).join("\n");
};

const namesMachines = (path: string, value: string): boolean =>
  path.endsWith(".message") || (path.endsWith(".reason") && value.includes(" @ Machine/"));

/** Returns whether something was seen in its newest form. */
const seen = (object: AnyObject, generation: unknown): string =>
  generation === object.metadata.generation ? "the newest" : "an older one";

const addObject = (object: AnyObject, text: (value: string) => string, put: Put): void => {
  const { metadata, spec, status, type, apiVersion: _, kind: __, data: ___, ...rest } = object;
  put("exists", true);
  for (const [name, value] of Object.entries<AnyObject>(metadata)) {
    if (notCompared.has(name)) continue;
    if (name === "ownerReferences") {
      for (const { kind, name: owner, apiVersion, controller = false, blockOwnerDeletion = false } of value) {
        put(`owner ${kind} ${text(owner)}`, { apiVersion, controller, blockOwnerDeletion });
      }
    } else if (name === "finalizers") {
      put(
        "finalizers",
        [...value].toSorted((a: string, b: string) => a.localeCompare(b)),
      );
    } else if (name === "labels" || name === "annotations") {
      for (const [key, each] of Object.entries<string>(value)) put(`${name} ${key}`, text(each));
    } else put(name, typeof value === "string" ? text(value) : value);
  }
  // In the order of random names.
  const sorted = [...(status?.targets ?? [])].map(text).toSorted((a: string, b: string) => a.localeCompare(b));
  const ordered = sorted.length === 0 ? status : { ...status, targets: sorted };
  flatten({ spec, status: ordered, type, ...rest }, "", (path, value) => {
    if (value === undefined || path.endsWith(".uid")) return;
    if (path.endsWith("observedGeneration")) put(path, seen(object, value));
    else if (typeof value !== "string") put(path, value);
    else put(path, namesMachines(path, value) ? anyMachine(text(value)) : text(value));
  });
};

/** Everything that can be seen of the objects of a play, by what and where it is. */
export const factsOfPlay = (play: Play, title: string): ReadonlyMap<string, unknown> => {
  play.learnNames();
  const text = normalizer(play);
  const facts = new Map<string, unknown>();
  for (const kind of play.stage.kinds.compared) {
    for (const object of play.objects(kind)) {
      const place = `${title} | ${kind.kind} ${text(object.metadata.name)} | `;
      addObject(object, text, (path, value) => facts.set(place + path, value));
    }
  }
  for (const node of play.stage.nodes.list(Node)) {
    const name = node.metadata.name ?? "";
    if (!name.startsWith(`${play.namespace}-`)) continue;
    addObject(node, text, (path, value) => facts.set(`${title} | Node ${text(name)} | ${path}`, value));
  }
  return facts;
};

/** What is read, unless no conversion can make it: that of a reference to a kind that there is not. */
const readable = async <T>(request: Promise<T>): Promise<T | "unreadable"> => {
  try {
    return await request;
  } catch (error) {
    if (!isCapstanError(error)) throw error;
    return "unreadable";
  }
};

/** How it was before the conversion is the same text over and over. */
const withoutConversion = (object: AnyObject): AnyObject => {
  const { "cluster.x-k8s.io/conversion-data": _, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
};

/** How the objects that are there read in the older version. */
export const olderFactsOfPlay = async (play: Play, title: string): Promise<ReadonlyMap<string, unknown>> => {
  const text = normalizer(play);
  const facts = new Map<string, unknown>();
  for (const kind of play.stage.kinds.older) {
    const older = { ...kind, version: "v1beta1" };
    for (const { metadata } of play.objects(kind)) {
      const place = `${title} | in the older version | ${kind.kind} ${text(metadata.name)} | `;
      const read = await readable(
        play.stage.client.find<AnyObject>(older, { namespace: play.namespace, name: metadata.name }),
      );
      if (read === "unreadable") facts.set(`${place}can be read`, false);
      else if (read !== undefined) {
        addObject(withoutConversion(read), text, (path, value) => facts.set(place + path, value));
      }
    }
  }
  return facts;
};

/** The Events of a play: about what, of which type, and why. */
export const eventsOfPlay = async (play: Play, title: string): Promise<ReadonlyMap<string, unknown>> => {
  const text = normalizer(play);
  const { items } = await play.stage.client.list(Event, { namespace: play.namespace });
  return new Map(
    (items as readonly AnyObject[]).map(({ type, reason, involvedObject: { kind, name } }) => [
      `${title} | ${kind} ${text(name)} | event ${type} ${reason}`,
      true,
    ]),
  );
};
