import type { AccountEvent } from "@capstan/linode-client";
import { apiTime } from "./times.ts";
import type { World } from "./world.ts";

type Part = Pick<World, "state" | "clock">;

/** Entity of an event. */
export type Subject = NonNullable<AccountEvent["entity"]>;

/** The API keeps events for 90 days; the account keeps this many. */
const kept = 1000;

export const linodeSubject = ({ id, label }: { readonly id: number; readonly label: string }): Subject => ({
  id,
  label,
  type: "linode",
  url: `/v4/linode/instances/${id}`,
});

/** Writes down that something happened (`notification`), or that it began (`started`) and `settle` will say how it ended. */
export const note = (
  { state, clock, newId }: Part & Pick<World, "newId">,
  action: string,
  entity: Subject,
  status: "notification" | "started" = "notification",
  secondary: Subject | null = null,
): void => {
  state.events.push({
    id: newId(),
    action,
    status,
    entity,
    secondary_entity: secondary,
    created: apiTime(clock.now()),
    duration: 0,
    message: "",
    percent_complete: status === "started" ? 0 : 100,
    details: {},
    rate: null,
    time_remaining: null,
    username: "simulator",
    seen: false,
    read: false,
  });
  state.events.splice(0, state.events.length - kept);
};

/** Ends what is under way with an entity: all of it, or the actions named. */
export const settle = (
  { state, clock }: Part,
  { type, id }: Pick<Subject, "type" | "id">,
  actions?: readonly string[],
) => {
  for (const event of state.events) {
    if (event.status !== "started" || event.entity?.type !== type || event.entity.id !== id) continue;
    if (actions?.includes(event.action) === false) continue;
    event.status = "finished";
    event.percent_complete = 100;
    event.duration = (clock.now() - Date.parse(`${event.created}Z`)) / 1000;
  }
};
