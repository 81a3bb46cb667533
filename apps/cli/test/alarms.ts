import { resource, type KubeObject } from "@capstan/schema";
import type { Simulated, TestSystem } from "./test-system.ts";

const Event = resource({ group: "", version: "v1", kind: "Event", plural: "events" });

interface EventObject extends KubeObject {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly involvedObject?: { readonly kind?: string; readonly name?: string };
}

/** Everything that would alarm whoever watches a system: Warning Events, and what was logged as a warning or an error. */
export const alarmsOf = async ({ running, said }: TestSystem<Simulated>): Promise<readonly string[]> => {
  const { items } = await running.client.list<EventObject>(Event, {});
  const events = items
    .filter(({ type }) => type === "Warning")
    .map(
      ({ involvedObject, message, reason }) => `${involvedObject?.kind} ${involvedObject?.name}: ${reason}: ${message}`,
    );
  return [...events, ...said.filter((line) => /^\S+ (?:WARN|ERROR)\b/.test(line))];
};
