import { jsonText } from "@capstan/schema/structural";
import { turnsUntil } from "@capstan/testing";
import { describe, expect, it } from "vitest";
import { decodeLongWatchEvent, decodeWatchEvent } from "./watch-event.ts";

const lineOf = (labels: string): Buffer =>
  Buffer.from(
    `{"type":"ADDED","object":{"apiVersion":"v1","kind":"X","metadata":{"resourceVersion":"7"},"labels":${labels}}}`,
  );

describe("decodeWatchEvent", () => {
  it("reads names as they are written, whatever somebody has sent before", () => {
    const name = 'k:{"port":81,"protocol":"TCP"}';
    const labels = JSON.stringify({ [name]: { "f:watched": {} } });
    // What V8 would take the name for: as many characters as it has, of what it is written as.
    const sly = JSON.stringify(name).slice(1, 1 + name.length);
    decodeWatchEvent(lineOf(JSON.stringify({ [sly]: { "f:watched": {} } })));
    expect(jsonText(decodeWatchEvent(lineOf(labels)).object)).toContain(labels);
  });

  it("keeps integers of 64 bits", () => {
    expect(decodeWatchEvent(lineOf('{"a":9007199254740993}')).object).toMatchObject({
      labels: { a: 9007199254740993n },
    });
  });
});

describe("decodeLongWatchEvent", () => {
  it("serves others while it reads a long line, and refuses what is no event", async () => {
    const reading = decodeLongWatchEvent(lineOf(`[${"[],".repeat(2 ** 18)}0]`));
    expect(await turnsUntil(reading)).toBeGreaterThan(8);
    const event = await reading;
    expect((event.object as { readonly labels?: readonly unknown[] }).labels).toHaveLength(2 ** 18 + 1);
    await expect(decodeLongWatchEvent(Buffer.from(`[${"0,".repeat(2 ** 17)}`))).rejects.toMatchObject({
      code: "kube.undecodable",
    });
    await expect(decodeLongWatchEvent(Buffer.from(`[${"0,".repeat(2 ** 17)}0]`))).rejects.toMatchObject({
      code: "kube.undecodable",
    });
  });
});
