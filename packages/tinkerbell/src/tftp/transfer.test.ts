import { type FakeClock, fakeClock } from "@capstan/testing";
import { beforeEach, describe, expect, it } from "vitest";
import { negotiate } from "./negotiate.ts";
import { TftpTransfer } from "./transfer.ts";

let clock: FakeClock;
let sent: Buffer[];
let ended: boolean[];

beforeEach(() => {
  clock = fakeClock();
  sent = [];
  ended = [];
});

const start = (length: number, options: Readonly<Record<string, string>> = {}): TftpTransfer => {
  const content = Buffer.alloc(length, 7);
  const request = { path: "x", mode: "octet", options: new Map(Object.entries(options)) };
  return new TftpTransfer({
    content,
    terms: negotiate(request, length),
    clock,
    send: (packet) => sent.push(packet),
    ended: (isComplete) => ended.push(isComplete),
  });
};

/** The packets since the last look: `3:512` for a block with its length, or the text of options. */
const packets = (): readonly string[] =>
  sent
    .splice(0)
    .map((packet) =>
      packet.readUInt16BE(0) === 3
        ? `${packet.readUInt16BE(2)}:${packet.length - 4}`
        : packet.subarray(2).toString("latin1").replaceAll("\0", " ").trim(),
    );

describe("a file by TFTP", () => {
  it("is sent block by block, and ends with a block that is not full", () => {
    const transfer = start(1024);
    const seen = [...packets()];
    for (const block of [1, 2]) {
      transfer.acknowledge(block);
      seen.push(...packets());
    }
    expect(seen).toEqual(["1:512", "2:512", "3:0"]);
    expect(ended).toEqual([]);
    transfer.acknowledge(3);
    expect(ended).toEqual([true]);
  });

  it("begins with what was agreed to, the sizes lowered, others left out", () => {
    const transfer = start(3000, { blksize: "65464", tsize: "0", windowsize: "2", timeout: "3", multicast: "" });
    expect(packets()).toEqual(["blksize 1468 tsize 3000 timeout 3 windowsize 2"]);
    transfer.acknowledge(0);
    expect(packets()).toEqual(["1:1468", "2:1468"]);
    transfer.acknowledge(2);
    expect(packets()).toEqual(["3:64"]);
  });

  it.each([{ blksize: "7" }, { blksize: "many" }, { timeout: "0" }, { windowsize: "0" }, { other: "1" }])(
    "is sent at once with options that are not valid: %j",
    (options) => {
      start(10, options);
      expect(packets()).toEqual(["1:10"]);
    },
  );

  it("is sent again from the block that was lost within a window, once", () => {
    const transfer = start(10_000, { windowsize: "4" });
    transfer.acknowledge(0);
    packets();
    transfer.acknowledge(2);
    expect(packets()).toEqual(["3:512", "4:512", "5:512", "6:512"]);
    transfer.acknowledge(2);
    expect(packets()).toEqual(["3:512", "4:512", "5:512", "6:512"]);
    transfer.acknowledge(2);
    expect(packets()).toEqual([]);
  });

  it("is not doubled by an acknowledgement that comes twice, nor moved by one of something else", () => {
    const transfer = start(5000);
    transfer.acknowledge(1);
    packets();
    for (const odd of [1, 0, 3, 60_000]) transfer.acknowledge(odd);
    expect(packets()).toEqual([]);
  });

  it("is sent again while nothing is heard, ever more rarely, and then given up", async () => {
    start(100);
    const at: number[] = [];
    packets();
    for (let second = 1; second <= 70 && ended.length === 0; second += 1) {
      await clock.advance(1000);
      if (packets().length > 0) at.push(second);
    }
    expect(at).toEqual([1, 3, 7, 15, 31]);
    expect(ended).toEqual([false]);
  });

  it("continues after 65,535 blocks", () => {
    const transfer = start(512 * 65_537 + 5);
    let last: readonly string[] = [];
    for (let block = 1; block <= 65_538; block += 1) {
      last = packets();
      transfer.acknowledge(block & 0xff_ff);
    }
    expect(last).toEqual(["2:5"]);
    expect(ended).toEqual([true]);
  });
});
