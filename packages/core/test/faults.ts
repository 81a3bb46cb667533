import type { HttpAnswer } from "@capstan/kube";
import { seededRandom } from "@capstan/testing";
import type { World } from "./world.ts";
import { unavailable } from "./world.ts";

const refusal = (code: number, reason: string, headers: HttpAnswer["headers"] = {}): HttpAnswer => ({
  status: code,
  headers,
  body: JSON.stringify({
    apiVersion: "v1",
    kind: "Status",
    status: "Failure",
    code,
    reason,
    message: `refused: ${reason}`,
  }),
});

const refusals = [
  refusal(409, "Conflict"),
  refusal(429, "TooManyRequests", { "retry-after": "1" }),
  refusal(500, "InternalError"),
  refusal(503, "ServiceUnavailable"),
];

const isRead = (request: string): boolean => request.startsWith("GET");

/** Of the writes of controllers some are refused, in every way there is, and some lose their answer. */
export const disturbAtRandom = (world: World, seed: number): void => {
  const random = seededRandom(seed);
  world.disturb = (request) => {
    if (isRead(request)) return undefined;
    const dice = random.next();
    if (dice < 0.12) return refusals[Math.floor(random.next() * refusals.length)];
    if (dice < 0.15) throw unavailable("the API server is not there");
    return dice < 0.3 ? "lose" : undefined;
  };
};

/** Controllers on their way to their end. */
export interface Doom {
  /** Writes so far. */
  readonly made: number;
  readonly dead: boolean;
}

/** The controllers die at one of their writes, counted from 1: it is done, and they never hear of it. */
export const killAt = (world: World, write: number): Doom => {
  const doom = { made: 0, dead: false };
  world.disturb = (request) => {
    if (doom.dead) throw unavailable("the process is gone");
    if (isRead(request)) return undefined;
    doom.made += 1;
    doom.dead = doom.made === write;
    return doom.dead ? "lose" : undefined;
  };
  return doom;
};

/** From now on everything is done and answered. */
export const mend = (world: World): void => {
  world.disturb = () => undefined;
};

/** Does something again and again, with controllers that die at another of its writes each time and are then started anew. */
export const killEverywhere = async (
  world: World,
  {
    every,
    act,
    ended,
  }: { readonly every: number; readonly act: () => Promise<unknown>; readonly ended: () => Promise<void> },
): Promise<void> => {
  for (let at = 1; ; at += every) {
    const doom = killAt(world, at);
    await act();
    await world.settle();
    const { dead } = doom;
    mend(world);
    await world.restart();
    await ended();
    if (!dead) return;
  }
};
