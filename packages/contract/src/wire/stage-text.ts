import { rfc3339 } from "../clock.ts";

/** A stage of slow work, such as the booting of a server. */
export interface StageFacts {
  readonly name: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** From 1. */
  readonly number: number;
  readonly of: number;
  /** 0 to 100. */
  readonly percent?: number | undefined;
}

/** Formats a stage for a condition's message: `booting since 2026-01-01T00:00:12Z (step 3 of 4, 50 %)`. */
export const stageText = ({ name, number, of, percent, since }: StageFacts): string =>
  `${name} since ${rfc3339(since)} (step ${number} of ${of}${percent === undefined ? "" : `, ${percent} %`})`;

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`;
const stage = new RegExp(String.raw` since (${time}) \((step \d+ of \d+)(?:, \d+ %)?\)`);
const everyStage = new RegExp(stage, "g");

/** When the stage of this name began, if that is the one that the message says, in milliseconds since the epoch. */
export const stageSince = (message: string, name: string): number | undefined => {
  const at = message.indexOf(`${name} since `);
  const [, since] = at < 0 ? [] : (stage.exec(message.slice(at + name.length)) ?? []);
  return since === undefined ? undefined : Date.parse(since);
};

/** A message without what differs between objects in the same stage. */
export const withoutStageTimes = (message: string): string => message.replaceAll(everyStage, " ($2)");
