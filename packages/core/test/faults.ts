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

const isRead = (call: string): boolean => call.startsWith("GET");

/** Events are told on the side and decide nothing. */
const isEvent = (call: string): boolean => /\/events(\/|$)/.test(call);

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
  /** The last of them. */
  readonly last: string;
  readonly dead: boolean;
}

/** The controllers die at one of their writes, counted from 1: it is done, and they never hear of it. */
export const killAt = (world: World, write: number): Doom => {
  const doom = { made: 0, last: "none", dead: false };
  world.disturb = (call) => {
    if (doom.dead) throw unavailable("the process is gone");
    if (isRead(call) || isEvent(call)) return undefined;
    doom.made += 1;
    doom.last = call;
    doom.dead = doom.made === write;
    return doom.dead ? "lose" : undefined;
  };
  return doom;
};

/** From now on everything is done and answered. */
export const mend = (world: World): void => {
  world.disturb = () => undefined;
};
